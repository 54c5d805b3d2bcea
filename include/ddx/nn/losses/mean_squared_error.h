/// \file
/// The mean squared error.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

namespace ddx::nn {

/// The mean of (predicted - expected)^2 over all elements.
///
/// Shapes:  predicted [...], expected [...] -> scalar
/// Throws:  UsageError where the shapes do not broadcast together.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> mean_squared_error(const Tensor<Scalar>& predicted,
                                                const Tensor<Scalar>& expected) {
  return mean(square(predicted - expected));
}

}  // namespace ddx::nn
