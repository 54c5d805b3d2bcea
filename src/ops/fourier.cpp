#include "ddx/ops/fourier.h"

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include "ops/detail/around_axis.h"

#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <numbers>

namespace ddx::ops {
namespace {

using Complex = std::complex<double>;

Complex product(Complex a, Complex b) noexcept {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// e^(2 pi i k / n), or its conjugate.
Complex root(std::int64_t k, std::int64_t n, bool inverse) noexcept {
  const double angle = 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n);
  return {std::cos(angle), inverse ? std::sin(angle) : -std::sin(angle)};
}

std::int64_t smallest_factor(std::int64_t n) noexcept {
  for (std::int64_t p = 2; p * p <= n; ++p) {
    if (n % p == 0) {
      return p;
    }
  }
  return n;
}

/// Transforms of one length, by its prime factors: a transform of length p m is p of length m whose
/// elements k are combined by one of length p.
///
/// Source: J. W. Cooley, J. W. Tukey, "An Algorithm for the Machine Calculation of Complex Fourier
///         Series", 1965.
class Transform {
 public:
  Transform(std::int64_t n, bool inverse) noexcept
      : n_(n),
        inverse_(inverse),
        memory_(new(std::nothrow) Complex[static_cast<std::size_t>(4 * n)]) {
    for (std::int64_t k = 0; memory_ != nullptr && k < n; ++k) {
      roots()[k] = root(k, n, inverse);
    }
  }

  /// y[k] of x(j), written by write(k, y).
  template <class Read, class Write>
  void operator()(std::int64_t results, Read x, Write write) const noexcept {
    if (memory_ == nullptr) {
      by_definition(results, x, write);
      return;
    }
    Complex* in = roots() + n_;
    Complex* out = in + n_;
    for (std::int64_t j = 0; j < n_; ++j) {
      in[j] = x(j);
    }
    transform(in, 1, out, n_);
    for (std::int64_t k = 0; k < results; ++k) {
      write(k, out[k]);
    }
  }

 private:
  [[nodiscard]] Complex* roots() const noexcept { return memory_.get(); }

  /// Without memory. Cost: O(n^2).
  template <class Read, class Write>
  void by_definition(std::int64_t results, Read x, Write write) const noexcept {
    for (std::int64_t k = 0; k < results; ++k) {
      Complex sum;
      std::int64_t turn = 0;  // j k modulo n
      for (std::int64_t j = 0; j < n_; ++j) {
        sum += product(x(j), root(turn, n_, inverse_));
        turn = (turn + k) % n_;
      }
      write(k, sum);
    }
  }

  void transform(const Complex* x, std::int64_t stride, Complex* y, std::int64_t n) const noexcept {
    if (n == 1) {
      y[0] = x[0];
      return;
    }
    const std::int64_t p = smallest_factor(n);
    const std::int64_t m = n / p;
    for (std::int64_t r = 0; r < p; ++r) {
      transform(x + r * stride, stride * p, y + r * m, m);
    }
    Complex* parts = memory_.get() + 3 * n_;
    for (std::int64_t k = 0; k < m; ++k) {
      for (std::int64_t r = 0; r < p; ++r) {
        parts[r] = product(y[r * m + k], roots()[r * k * (n_ / n)]);
      }
      for (std::int64_t q = 0; q < p; ++q) {
        Complex sum;
        std::int64_t turn = 0;  // r q modulo p
        for (std::int64_t r = 0; r < p; ++r) {
          sum += product(parts[r], roots()[turn * (n_ / p)]);
          turn = (turn + q) % p;
        }
        y[q * m + k] = sum;
      }
    }
  }

  std::int64_t n_;
  bool inverse_;
  std::unique_ptr<Complex[]> memory_;  // The roots, an operand, a result, the parts of a sum.
};

/// Calls body(read, write) for each line, with what reads an element of the operand's line and what
/// writes one of the result's.
template <class From, class To, class Body>
void for_each_line_pair(const Call& call, Body body) noexcept {
  const auto axis = call.attributes<FourierAttributes>().axis;
  const detail::AroundAxis from(call.input(0).shape(), axis);
  const detail::AroundAxis to(call.output().shape(), axis);
  for (std::int64_t outer = 0; outer < from.outer; ++outer) {
    for (std::int64_t inner = 0; inner < from.inner; ++inner) {
      const auto* x = call.input(0).data<From>() + outer * from.extent * from.inner + inner;
      auto* y = call.output().mutable_data<To>() + outer * to.extent * to.inner + inner;
      body([x, step = from.inner](std::int64_t j) -> const From& { return x[j * step]; },
           [y, step = to.inner](std::int64_t k) -> To& { return y[k * step]; });
    }
  }
}

template <class Part>
void fft(const Call& call) noexcept {
  using T = std::complex<Part>;
  const auto& a = call.attributes<FourierAttributes>();
  const std::int64_t n = call.output().shape()[a.axis];
  const Transform transform(n, a.inverse);
  for_each_line_pair<T, T>(call, [&](auto x, auto y) {
    transform(
        n, [&](std::int64_t j) { return Complex(x(j)); },
        [&](std::int64_t k, Complex value) { y(k) = T(value * a.scale); });
  });
}

template <class Part>
void rfft(const Call& call) noexcept {
  using T = std::complex<Part>;
  const auto& a = call.attributes<FourierAttributes>();
  const std::int64_t n = call.input(0).shape()[a.axis];
  const Transform transform(n, false);
  for_each_line_pair<Part, T>(call, [&](auto x, auto y) {
    transform(
        n / 2 + 1, [&](std::int64_t j) { return Complex(static_cast<double>(x(j))); },
        [&](std::int64_t k, Complex value) { y(k) = T(value * a.scale); });
  });
}

template <class Part>
void irfft(const Call& call) noexcept {
  using T = std::complex<Part>;
  const auto& a = call.attributes<FourierAttributes>();
  const std::int64_t n = call.output().shape()[a.axis];
  const Transform transform(n, true);
  for_each_line_pair<T, Part>(call, [&](auto x, auto y) {
    const auto whole = [&](std::int64_t k) {
      if (k == 0 || 2 * k == n) {
        return Complex(static_cast<double>(x(k).real()));
      }
      return 2 * k < n ? Complex(x(k)) : std::conj(Complex(x(n - k)));
    };
    transform(n, whole, [&](std::int64_t j, Complex value) {
      y(j) = static_cast<Part>(value.real() * a.scale);
    });
  });
}

}  // namespace

Kernel fourier_reference(Op op, DType dtype) noexcept {
  if (dtype != DType::f32 && dtype != DType::f64 && !is_complex(dtype)) {
    return nullptr;
  }
  const bool single = part_dtype(dtype) == DType::f32;
  if (op == Op::rfft) {
    return is_complex(dtype) ? nullptr : single ? &rfft<float> : &rfft<double>;
  }
  if (!is_complex(dtype)) {
    return nullptr;
  }
  if (op == Op::fft) {
    return single ? &fft<float> : &fft<double>;
  }
  return op == Op::irfft ? (single ? &irfft<float> : &irfft<double>) : nullptr;
}

}  // namespace ddx::ops
