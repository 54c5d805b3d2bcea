/// \file
/// The hinge loss.

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

/// max(0, 1 - label predicted) of each element; labels are -1 or 1.
///
/// Shapes:  predicted [...], labels [...] -> scalar; [...] without reduction
/// Throws:  UsageError where the shapes differ.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> hinge_loss(
    const Tensor<Scalar>& predicted, const Tensor<Scalar>& labels,
    Reduction reduction = Reduction::Mean,
    std::source_location where = std::source_location::current()) {
  if constexpr (NarrowScalar<Scalar>) {
    using Wide = WideScalar<Scalar>;
    return cast<Scalar>(hinge_loss(cast<Wide>(predicted), cast<Wide>(labels), reduction, where));
  } else {
    detail::require_equal_shapes("hinge_loss", "predicted", predicted.shape(), "labels",
                                 labels.shape(), where);
    return reduce_losses(relu(Scalar{1} - labels * predicted), reduction);
  }
}

}  // namespace ddx::nn
