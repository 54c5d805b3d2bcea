/// \file
/// Elements counted: the different ones, how many of each, how many per bin. None has a derivative.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>

namespace ddx {

/// The result of unique.
template <TensorScalar Scalar>
struct Unique {
  Tensor<Scalar> values;         ///< Each element once, ascending. [k]
  Tensor<std::int32_t> inverse;  ///< Which of the values each element is. The operand's shape.
  Tensor<std::int32_t> counts;   ///< How often each value occurs. [k]
};

/// The different elements. All NaNs count as one, the largest.
///
/// Shapes:   x [...] -> values [k], inverse [...], counts [k]
/// Throws:   UsageError where `x` has more elements than indices of 32 bits count.
/// Cost:     n log n.
template <TensorScalar Scalar>
[[nodiscard]] Unique<Scalar> unique(const Tensor<Scalar>& x,
                                    std::source_location where = std::source_location::current());

/// How often each of the numbers 0 ... count - 1 occurs.
///
/// Shapes:   x [...] -> [count]
/// Throws:   UsageError where an element is not in [0, count), or `x` has more elements than
///           numbers of 32 bits count.
[[nodiscard]] Tensor<std::int32_t> bincount(
    const Tensor<std::int32_t>& x, std::int64_t count,
    std::source_location where = std::source_location::current());

/// The range of a histogram and its number of bins of equal width.
struct HistogramOptions {
  std::int64_t bins = 10;
  double low = 0;   ///< Where the first bin begins. `low` = `high`: from the least element ...
  double high = 0;  ///< Where the last bin ends, included. ... to the largest.
};

/// How many elements lie in each bin; those outside the range and NaNs in none.
///
/// Shapes:   x [...] -> [bins]
/// Throws:   UsageError where there is no bin, the bounds do not ascend or are not finite, or `x`
///           has more elements than numbers of 32 bits count.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<std::int32_t> histogram(
    const Tensor<Scalar>& x, const HistogramOptions& options = {},
    std::source_location where = std::source_location::current());

}  // namespace ddx
