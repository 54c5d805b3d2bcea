#include "backend/cpu/fourier_plan.h"

#include "ddx/core/detail/fork_gate.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <new>
#include <numbers>
#include <vector>

namespace ddx::backend::cpu {
namespace {

using Complex = std::complex<double>;

constexpr std::int64_t largest_radix = 31;
// From this length on, one line is computed as a matrix: shorter ones fit the nearest cache.
constexpr std::int64_t long_line = 64;

/// e^(-2 pi i k / n), of k that is reduced exactly.
Complex root(std::int64_t k, std::int64_t n) noexcept {
  const double angle = 2 * std::numbers::pi * static_cast<double>(k % n) / static_cast<double>(n);
  return {std::cos(angle), -std::sin(angle)};
}

template <class T>
void push(Planes<T>& planes, Complex value) {
  planes.real.push_back(static_cast<T>(value.real()));
  planes.imaginary.push_back(static_cast<T>(value.imag()));
}

/// The radices of a length, 4 first; the last may be a large prime.
std::vector<std::int64_t> radices(std::int64_t n) {
  std::vector<std::int64_t> all;
  while (n % 4 == 0) {
    all.push_back(4);
    n /= 4;
  }
  for (std::int64_t p = 2; p * p <= n; ++p) {
    while (n % p == 0) {
      all.push_back(p);
      n /= p;
    }
  }
  if (n > 1) {
    all.push_back(n);
  }
  return all;
}

std::int64_t power_of_two_from(std::int64_t least) {
  std::int64_t m = 1;
  while (m < least) {
    m *= 2;
  }
  return m;
}

/// The transform of a power of two, in double.
void transform(std::vector<Complex>& x) {
  const auto n = static_cast<std::int64_t>(x.size());
  if (n == 1) {
    return;
  }
  std::vector<Complex> even;
  std::vector<Complex> odd;
  for (std::size_t j = 0; j < x.size(); j += 2) {
    even.push_back(x[j]);
    odd.push_back(x[j + 1]);
  }
  transform(even);
  transform(odd);
  for (std::size_t k = 0; k < even.size(); ++k) {
    const Complex turned = odd[k] * root(static_cast<std::int64_t>(k), n);
    x[k] = even[k] + turned;
    x[k + even.size()] = even[k] - turned;
  }
}

template <class T>
void add_passes(FourierPlan<T>& plan, const std::vector<std::int64_t>& factors) {
  std::int64_t length = plan.n;
  for (const std::int64_t radix : factors) {
    FourierPass<T> pass{.radix = radix, .parts = length / radix, .twiddles = {}, .roots = {}};
    for (std::int64_t p = 0; p < pass.parts; ++p) {
      for (std::int64_t k = 1; k < radix; ++k) {
        push(pass.twiddles, root(p * k, length));
      }
    }
    for (std::int64_t k = 0; k < radix; ++k) {
      push(pass.roots, root(k, radix));
    }
    length = pass.parts;
    plan.passes.push_back(std::move(pass));
  }
}

template <class T>
void add_convolution(FourierPlan<T>& plan) {
  const std::int64_t m = power_of_two_from(2 * plan.n - 1);
  std::vector<Complex> filter(static_cast<std::size_t>(m));
  for (std::int64_t j = 0; j < plan.n; ++j) {
    const Complex chirp = root(j * j % (2 * plan.n), 2 * plan.n);
    push(plan.chirp, chirp);
    filter[static_cast<std::size_t>(j)] = std::conj(chirp);
    filter[static_cast<std::size_t>((m - j) % m)] = std::conj(chirp);
  }
  transform(filter);
  for (const Complex value : filter) {
    push(plan.filter, value / static_cast<double>(m));
  }
  plan.convolution = fourier_plan<T>(m);
  if (plan.convolution == nullptr) {
    throw std::bad_alloc();
  }
}

/// Cuts the length into two that are as near as may be.
template <class T>
void add_matrix(FourierPlan<T>& plan, const std::vector<std::int64_t>& factors) {
  std::int64_t rows = 1;
  for (const std::int64_t radix : factors) {
    if (rows * radix * rows * radix <= plan.n) {
      rows *= radix;
    }
  }
  const std::int64_t columns = plan.n / rows;
  if (rows < 4) {
    return;
  }
  plan.rows = fourier_plan<T>(rows);
  plan.columns = fourier_plan<T>(columns);
  if (plan.rows == nullptr || plan.columns == nullptr) {
    throw std::bad_alloc();
  }
  for (std::int64_t j = 0; j < rows; ++j) {
    for (std::int64_t k = 0; k < columns; ++k) {
      push(plan.between, root(j * k, plan.n));
    }
  }
}

template <class T>
std::shared_ptr<const FourierPlan<T>> made_plan(std::int64_t n) {
  auto plan = std::make_shared<FourierPlan<T>>();
  plan->n = n;
  const auto factors = radices(n);
  if (!factors.empty() && std::ranges::max(factors) > largest_radix) {
    add_convolution(*plan);
  } else {
    add_passes(*plan, factors);
    if (n >= long_line) {
      add_matrix(*plan, factors);
    }
  }
  for (std::int64_t k = 0; k <= n; ++k) {
    push(plan->halves, root(k, 2 * n));
  }
  return plan;
}

/// The plans used last, the newest first.
template <class T>
class Plans {
 public:
  std::shared_ptr<const FourierPlan<T>> find(std::int64_t n) {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find(plans_, n, [](const auto& plan) { return plan->n; });
    if (found == plans_.end()) {
      return nullptr;
    }
    plans_.splice(plans_.begin(), plans_, found);
    return plans_.front();
  }

  void add(std::shared_ptr<const FourierPlan<T>> plan) {
    const std::lock_guard lock(mutex_);
    plans_.push_front(std::move(plan));
    std::size_t bytes = 0;
    for (auto it = plans_.begin(); it != plans_.end(); ++it) {
      bytes += static_cast<std::size_t>((*it)->n) * bytes_per_element;
      if (bytes > most_bytes && it != plans_.begin()) {
        plans_.erase(it, plans_.end());
        return;
      }
    }
  }

 private:
  static constexpr std::size_t most_bytes = std::size_t{32} << 20U;
  static constexpr std::size_t bytes_per_element =
      12 * sizeof(T);  // Of three tables and some more.

  ddx::detail::ForkSafeMutex mutex_;
  std::list<std::shared_ptr<const FourierPlan<T>>> plans_;
};

}  // namespace

template <class T>
std::shared_ptr<const FourierPlan<T>> fourier_plan(std::int64_t n) noexcept {
  static Plans<T> plans;
  try {
    auto plan = plans.find(n);
    if (plan == nullptr) {
      plan = made_plan<T>(n);
      plans.add(plan);
    }
    return plan;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

template std::shared_ptr<const FourierPlan<float>> fourier_plan(std::int64_t) noexcept;
template std::shared_ptr<const FourierPlan<double>> fourier_plan(std::int64_t) noexcept;

}  // namespace ddx::backend::cpu
