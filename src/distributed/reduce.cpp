#include "distributed/reduce.h"

#include "ddx/core/dtype.h"
#include "ddx/distributed/reduction.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <concepts>
#include <cstddef>
#include <limits>
#include <span>
#include <type_traits>

namespace ddx::distributed {
namespace {

/// The number of elements summed at a time: 4 KiB of f64 stay in the first-level cache.
constexpr std::size_t block = 512;

template <class Scalar>
constexpr DTypeKind kind_of = info(dtype_of<Scalar>).kind;

/// The type of sums: f64 for all floating numbers, the unsigned type for integers, so that they
/// wrap around.
template <class Scalar>
struct WideOf {
  using type = double;
};
template <std::integral Scalar>
  requires(!std::same_as<Scalar, bool>)
struct WideOf<Scalar> {
  // Types narrower than int would be promoted to it, whose overflow is undefined.
  using type = std::uint64_t;
};
template <ComplexScalar Scalar>
struct WideOf<Scalar> {
  using type = std::complex<double>;
};
template <>
struct WideOf<bool> {
  using type = bool;
};

template <class Scalar>
using Wide = typename WideOf<Scalar>::type;

template <class Scalar>
Scalar narrow(Wide<Scalar> value) noexcept {
  if constexpr (std::same_as<Scalar, std::complex<float>>) {
    return {static_cast<float>(value.real()), static_cast<float>(value.imag())};
  } else {
    return static_cast<Scalar>(value);
  }
}

template <class Scalar>
Wide<Scalar> widen(Scalar value) noexcept {
  if constexpr (std::same_as<Scalar, std::complex<float>>) {
    return {static_cast<double>(value.real()), static_cast<double>(value.imag())};
  } else {
    return static_cast<Wide<Scalar>>(value);
  }
}

/// Sums and means of a block.
template <class Scalar>
void add_up(std::span<const Contribution> contributions, std::size_t first, std::size_t count,
            double divisor, Scalar* result) noexcept {
  std::array<Wide<Scalar>, block> totals{};
  for (const auto& [elements, weight] : contributions) {
    if (weight == 0) {
      continue;
    }
    const auto* values = reinterpret_cast<const Scalar*>(elements) + first;
    for (std::size_t i = 0; i < count; ++i) {
      if constexpr (std::integral<Scalar>) {
        totals[i] += static_cast<std::uint64_t>(values[i]);
      } else {
        totals[i] += weight * widen(values[i]);
      }
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    if constexpr (std::integral<Scalar>) {
      result[i] = narrow<Scalar>(totals[i]);
    } else {
      result[i] = narrow<Scalar>(totals[i] / divisor);
    }
  }
}

template <class Scalar>
void multiply(std::span<const Contribution> contributions, std::size_t first, std::size_t count,
              Scalar* result) noexcept {
  std::array<Wide<Scalar>, block> totals;
  totals.fill(Wide<Scalar>(1));
  for (const auto& contribution : contributions) {
    const auto* values = reinterpret_cast<const Scalar*>(contribution.elements) + first;
    for (std::size_t i = 0; i < count; ++i) {
      totals[i] *= widen(values[i]);
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    result[i] = narrow<Scalar>(totals[i]);
  }
}

template <class Scalar>
bool is_nan(Scalar value) noexcept {
  if constexpr (FloatingScalar<Scalar>) {
    return std::isnan(static_cast<double>(value));
  } else {
    return false;
  }
}

/// The smallest or the largest elements of a block. A NaN wins.
template <class Scalar>
void choose(std::span<const Contribution> contributions, bool largest, std::size_t first,
            std::size_t count, Scalar* result) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    Scalar best = reinterpret_cast<const Scalar*>(contributions[0].elements)[first + i];
    for (const auto& contribution : contributions.subspan(1)) {
      const Scalar value = reinterpret_cast<const Scalar*>(contribution.elements)[first + i];
      if (is_nan(value) || (!is_nan(best) && (largest ? best < value : value < best))) {
        best = value;
      }
    }
    result[i] = best;
  }
}

template <class Scalar>
void reduce_block(Reduction reduction, std::span<const Contribution> contributions,
                  std::size_t first, std::size_t count, Scalar* result) noexcept {
  if (reduction == Reduction::Min || reduction == Reduction::Max) {
    if constexpr (kind_of<Scalar> != DTypeKind::Complex) {
      choose(contributions, reduction == Reduction::Max, first, count, result);
    }
    return;
  }
  if constexpr (!std::same_as<Scalar, bool>) {
    if (reduction == Reduction::Product) {
      multiply(contributions, first, count, result);
      return;
    }
    double divisor = 1;
    if (reduction == Reduction::Mean) {
      divisor = 0;
      for (const auto& contribution : contributions) {
        divisor += contribution.weight;
      }
    }
    add_up(contributions, first, count, divisor, result);
  }
}

}  // namespace

bool is_reducible(DType dtype, Reduction reduction) noexcept {
  const DTypeKind kind = info(dtype).kind;
  const bool chooses = reduction == Reduction::Min || reduction == Reduction::Max;
  switch (kind) {
    case DTypeKind::Float:
      return true;
    case DTypeKind::Signed:
    case DTypeKind::Unsigned:
      return reduction != Reduction::Mean;
    case DTypeKind::Boolean:
      return chooses;
    case DTypeKind::Complex:
      return !chooses;
  }
  return false;
}

void reduce(DType dtype, Reduction reduction, std::span<const Contribution> contributions,
            std::size_t count, std::byte* result) noexcept {
  visit(dtype, [&]<class Scalar>(Scalar) {
    auto* const elements = reinterpret_cast<Scalar*>(result);
    for (std::size_t first = 0; first < count; first += block) {
      reduce_block(reduction, contributions, first, std::min(block, count - first),
                   elements + first);
    }
  });
}

}  // namespace ddx::distributed
