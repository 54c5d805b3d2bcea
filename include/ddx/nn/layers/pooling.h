/// \file
/// Pooling that keeps the greatest or the average of each window of signals, images and volumes.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/dtype.h"
#include "ddx/nn/detail/by_axes.h"
#include "ddx/tensor/detail/window_motion.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/pooling.h"
#include "ddx/tensor/tensor.h"

#include <cstddef>
#include <source_location>

namespace ddx::nn {

/// The greatest of each window, per channel: see max_pool2d.
///
/// Shapes:  x [n, x_i..., c] -> [n, y_i..., c]
template <FloatingScalar Scalar, std::size_t axes>
struct MaxPool {
  PoolOptions<axes> options;

  /// Shapes:  x [n, x_i..., c] -> [n, y_i..., c]
  /// Throws:  UsageError where the shapes or the options do not fit.
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) const {
    const char* name = detail::by_axes<axes>("max_pool1d", "max_pool2d", "max_pool3d");
    return ddx::detail::max_pool(x, ddx::detail::motion_of(name, options), where);
  }

  DDX_DIFFERENTIABLE(MaxPool)
  DDX_NO_DERIVATIVE(options)
};

/// The average of each window, per channel: see avg_pool2d.
///
/// Shapes:  x [n, x_i..., c] -> [n, y_i..., c]
template <FloatingScalar Scalar, std::size_t axes>
struct AvgPool {
  PoolOptions<axes> options;

  /// Shapes:  x [n, x_i..., c] -> [n, y_i..., c]
  /// Throws:  UsageError where the shapes or the options do not fit.
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) const {
    const char* name = detail::by_axes<axes>("avg_pool1d", "avg_pool2d", "avg_pool3d");
    return ddx::detail::avg_pool(x, ddx::detail::motion_of(name, options), where);
  }

  DDX_DIFFERENTIABLE(AvgPool)
  DDX_NO_DERIVATIVE(options)
};

/// Of signals [n, l, c].
template <FloatingScalar Scalar>
using MaxPool1D = MaxPool<Scalar, 1>;
/// Of images [n, h, w, c].
template <FloatingScalar Scalar>
using MaxPool2D = MaxPool<Scalar, 2>;
/// Of volumes [n, d, h, w, c].
template <FloatingScalar Scalar>
using MaxPool3D = MaxPool<Scalar, 3>;

/// Of signals [n, l, c].
template <FloatingScalar Scalar>
using AvgPool1D = AvgPool<Scalar, 1>;
/// Of images [n, h, w, c].
template <FloatingScalar Scalar>
using AvgPool2D = AvgPool<Scalar, 2>;
/// Of volumes [n, d, h, w, c].
template <FloatingScalar Scalar>
using AvgPool3D = AvgPool<Scalar, 3>;

}  // namespace ddx::nn
