/// \file
/// From images to rows.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/dtype.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/tensor.h"

#include <source_location>

namespace ddx::nn {

/// Joins all axes but the first.
///
/// Shapes:  x [n, ...] -> [n, m]
template <FloatingScalar Scalar>
struct Flatten {
  /// Shapes:  x [n, ...] -> [n, m]
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) const {
    return reshape(x, {x.shape()[0], -1}, where);
  }

  DDX_DIFFERENTIABLE(Flatten)
};

}  // namespace ddx::nn
