/// \file
/// What the normalisations share.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/core/indices.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include <source_location>

namespace ddx::nn::detail {

/// (x - m) / sqrt(v + epsilon) with the mean m and the variance v over these axes.
///
/// Shapes:  x [...] -> [...]
/// Throws:  UsageError where an axis does not exist.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> standardized(const Tensor<Scalar>& x, const Indices& axes,
                                          double epsilon, std::source_location where) {
  const ReductionOptions over{.axes = axes, .keep_dims = true};
  const auto centred = x - mean(x, over, where);
  const auto variance = mean(square(centred), over, where);
  return centred * rsqrt(variance + static_cast<Scalar>(epsilon));
}

}  // namespace ddx::nn::detail
