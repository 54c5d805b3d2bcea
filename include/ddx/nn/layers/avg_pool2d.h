/// \file
/// Pooling that keeps the average of each window.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/dtype.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/pooling.h"
#include "ddx/tensor/tensor.h"

#include <source_location>

namespace ddx::nn {

/// The average of each window, per channel.
///
/// Shapes:  x [n, h, w, c] -> [n, h', w', c]
template <FloatingScalar Scalar>
struct AvgPool2D {
  Pool2DOptions options;

  /// Shapes:  x [n, h, w, c] -> [n, h', w', c]
  /// Throws:  UsageError where the shapes or the options do not fit.
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) const {
    return avg_pool2d(x, options, where);
  }

  DDX_DIFFERENTIABLE(AvgPool2D)
  DDX_NO_DERIVATIVE(options)
};

}  // namespace ddx::nn
