/// \file
/// Tensors of random numbers. Equal keys give equal numbers on every device.

#pragma once

#include "ddx/core/random_key.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/tensor.h"

#include <source_location>

namespace ddx {

/// The bounds of random_uniform: [low, high).
struct UniformOptions {
  double low = 0;
  double high = 1;
};

/// The moments of random_normal.
struct NormalOptions {
  double mean = 0;
  double deviation = 1;
};

/// Numbers uniform in [low, high).
///
/// Throws:  UsageError where the bounds do not ascend.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> random_uniform(
    RandomKey key, const Shape& shape, const UniformOptions& options = {}, Device device = {},
    std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(
      detail::random_uniform(shape, {.key = key, .low = options.low, .high = options.high},
                             dtype_of<Scalar>, device, where));
}

/// Numbers from a normal distribution.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> random_normal(RandomKey key, const Shape& shape,
                                           const NormalOptions& options = {}, Device device = {}) {
  return Tensor<Scalar>(detail::random_normal(
      shape, {.key = key, .mean = options.mean, .deviation = options.deviation}, dtype_of<Scalar>,
      device));
}

/// Ones with probability `probability`, else zeros.
///
/// Throws:  UsageError where the probability is not in [0, 1].
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> random_bernoulli(
    RandomKey key, const Shape& shape, double probability = 0.5, Device device = {},
    std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::random_bernoulli(shape, {.key = key, .probability = probability},
                                                 dtype_of<Scalar>, device, where));
}

}  // namespace ddx
