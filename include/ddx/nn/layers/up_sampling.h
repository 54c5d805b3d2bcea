/// \file
/// Larger images, signals and volumes by repetition.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/dtype.h"
#include "ddx/core/indices.h"
#include "ddx/nn/detail/sample_shapes.h"
#include "ddx/tensor/tensor.h"
#include "ddx/tensor/tiling.h"

#include <cstdint>
#include <source_location>

namespace ddx::nn {

/// Each element `size` times along each axis between the first (samples) and the last (channels).
///
/// Shapes:  x [n, x_i..., c] -> [n, size x_i..., c]
template <FloatingScalar Scalar>
struct UpSampling {
  std::int64_t size = 2;

  /// Shapes:  x [n, x_i..., c] -> [n, size x_i..., c]
  /// Throws:  UsageError where there is no axis between, or the size is negative.
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) const {
    Tensor<Scalar> y = x;
    const Indices axes = detail::places("UpSampling", x.shape(), where);
    for (const std::int64_t axis : axes.values()) {
      y = repeat(y, size, axis, where);
    }
    return y;
  }

  DDX_DIFFERENTIABLE(UpSampling)
  DDX_NO_DERIVATIVE(size)
};

}  // namespace ddx::nn
