/// \file
/// Zeros around images, signals and volumes.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/dtype.h"
#include "ddx/core/indices.h"
#include "ddx/nn/detail/sample_shapes.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/tensor.h"

#include <source_location>

namespace ddx::nn {

/// Zeros before and after each axis between the first (samples) and the last (channels).
///
/// Shapes:  x [n, x_i..., c] -> [n, low_i + x_i + high_i..., c]
template <FloatingScalar Scalar>
struct ZeroPadding {
  Indices low;   ///< Of each axis between.
  Indices high;  ///< Of each axis between.

  /// Shapes:  x [n, x_i..., c] -> [n, low_i + x_i + high_i..., c]
  /// Throws:  UsageError where there are not so many axes, or an amount is negative.
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) const {
    return pad(x, detail::between("ZeroPadding", x.shape(), low, 0, where),
               detail::between("ZeroPadding", x.shape(), high, 0, where), Scalar{}, where);
  }

  DDX_DIFFERENTIABLE(ZeroPadding)
  DDX_NO_DERIVATIVE(low, high)
};

}  // namespace ddx::nn
