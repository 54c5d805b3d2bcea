/// \file
/// Samples in another shape.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/dtype.h"
#include "ddx/core/indices.h"
#include "ddx/nn/detail/sample_shapes.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/tensor.h"

#include <source_location>

namespace ddx::nn {

/// The elements of each sample in another shape. One extent may be -1: what remains.
///
/// Shapes:  x [n, ...] -> [n, extents...]
template <FloatingScalar Scalar>
struct Reshape {
  Indices extents;  ///< Of one sample.

  /// Shapes:  x [n, ...] -> [n, extents...]
  /// Throws:  UsageError where the counts differ.
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) const {
    return reshape(x, detail::with_samples("Reshape", x.shape(), extents, where), where);
  }

  DDX_DIFFERENTIABLE(Reshape)
  DDX_NO_DERIVATIVE(extents)
};

}  // namespace ddx::nn
