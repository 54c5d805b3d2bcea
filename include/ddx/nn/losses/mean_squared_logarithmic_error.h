/// \file
/// The mean squared logarithmic error.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/nn/detail/loss_checks.h"
#include "ddx/nn/losses/reduction.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/tensor.h"

#include <source_location>

namespace ddx::nn {

/// The mean of (log(1 + predicted) - log(1 + expected))^2 over all elements; negative ones count as
/// 0.
///
/// Shapes:  predicted [...], expected [...] -> scalar; [...] without reduction
/// Throws:  UsageError where the shapes differ.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> mean_squared_logarithmic_error(
    const Tensor<Scalar>& predicted, const Tensor<Scalar>& expected,
    Reduction reduction = Reduction::Mean,
    std::source_location where = std::source_location::current()) {
  if constexpr (NarrowScalar<Scalar>) {
    using Wide = WideScalar<Scalar>;
    return cast<Scalar>(mean_squared_logarithmic_error(cast<Wide>(predicted), cast<Wide>(expected),
                                                       reduction, where));
  } else {
    detail::require_equal_shapes("mean_squared_logarithmic_error", "predicted", predicted.shape(),
                                 "expected", expected.shape(), where);
    return reduce_losses(square(log1p(relu(predicted)) - log1p(relu(expected))), reduction);
  }
}

}  // namespace ddx::nn
