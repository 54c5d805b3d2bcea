/// \file
/// Random numbers from a normal distribution without its tails. Equal keys give equal numbers on
/// every device.

#pragma once

#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/tensor.h"

#include <source_location>

namespace ddx {

/// The distribution of random_truncated_normal.
struct TruncatedNormalOptions {
  double mean = 0;
  double deviation = 1;  ///< Of the normal distribution; what is left of it has less.
  double low = -2;       ///< The least number, in deviations from the mean.
  double high = 2;       ///< The largest number, in deviations from the mean.
};

namespace detail {
Array random_truncated_normal(RandomKey key, const Shape& shape,
                              const TruncatedNormalOptions& options, DType dtype, Device device,
                              const std::source_location& where);
}  // namespace detail

/// Numbers from a normal distribution without what lies outside of two bounds. Number i is the
/// quantile of number i of random_uniform<double>.
///
/// Throws:  UsageError where the bounds do not ascend or are NaN, no number of type double lies
///          between them with a probability, or the deviation is negative or not finite.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> random_truncated_normal(
    RandomKey key, const Shape& shape, const TruncatedNormalOptions& options = {},
    Device device = {}, std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(
      detail::random_truncated_normal(key, shape, options, dtype_of<Scalar>, device, where));
}

}  // namespace ddx
