/// \file
/// Pooling over all places of an image, a signal or a volume.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/dtype.h"
#include "ddx/nn/detail/sample_shapes.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include <source_location>

namespace ddx::nn {

/// The average of each channel of each sample.
///
/// Shapes:  x [n, ..., c] -> [n, c]; one, two, three or more axes between
template <FloatingScalar Scalar>
struct GlobalAvgPool {
  /// Shapes:  x [n, ..., c] -> [n, c]
  /// Throws:  UsageError where there is no axis between the first and the last.
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) const {
    return mean(x, {.axes = detail::places("GlobalAvgPool", x.shape(), where)}, where);
  }

  DDX_DIFFERENTIABLE(GlobalAvgPool)
};

/// The largest element of each channel of each sample.
///
/// Shapes:  x [n, ..., c] -> [n, c]; one, two, three or more axes between
template <FloatingScalar Scalar>
struct GlobalMaxPool {
  /// Shapes:  x [n, ..., c] -> [n, c]
  /// Throws:  UsageError where there is no axis between the first and the last, or it is empty.
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) const {
    return max(x, {.axes = detail::places("GlobalMaxPool", x.shape(), where)}, where);
  }

  DDX_DIFFERENTIABLE(GlobalMaxPool)
};

}  // namespace ddx::nn
