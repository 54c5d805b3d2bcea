/// \file
/// From images to rows.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/dtype.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/tensor.h"

namespace ddx::nn {

/// Joins all axes but the first.
///
/// Shapes:  x [n, ...] -> [n, m]
template <FloatingScalar Scalar>
struct Flatten {
  /// Shapes:  x [n, ...] -> [n, m]
  [[nodiscard]] Tensor<Scalar> operator()(const Tensor<Scalar>& x) const {
    return reshape(x, {x.shape()[0], -1});
  }

  DDX_DIFFERENTIABLE(Flatten)
};

}  // namespace ddx::nn
