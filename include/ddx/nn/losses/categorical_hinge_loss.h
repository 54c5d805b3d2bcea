/// \file
/// The hinge loss of classes.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/nn/detail/loss_checks.h"
#include "ddx/nn/losses/reduction.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include <source_location>

namespace ddx::nn {

/// max(0, 1 + n - p) of each row, with p the sum of label predicted and n the largest of (1 -
/// label) predicted; labels are 0 or 1, one 1 in each row.
///
/// Shapes:  predicted [..., c], labels [..., c] -> scalar; [...] without reduction
/// Throws:  UsageError where the shapes differ, or have no axis or an empty last one.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> categorical_hinge_loss(
    const Tensor<Scalar>& predicted, const Tensor<Scalar>& labels,
    Reduction reduction = Reduction::Mean,
    std::source_location where = std::source_location::current()) {
  if constexpr (NarrowScalar<Scalar>) {
    using Wide = WideScalar<Scalar>;
    return cast<Scalar>(
        categorical_hinge_loss(cast<Wide>(predicted), cast<Wide>(labels), reduction, where));
  } else {
    detail::require_equal_shapes("categorical_hinge_loss", "predicted", predicted.shape(), "labels",
                                 labels.shape(), where);
    const auto positive = sum(labels * predicted, {.axes = {-1}}, where);
    const auto negative = max((Scalar{1} - labels) * predicted, {.axes = {-1}}, where);
    return reduce_losses(relu(negative - positive + Scalar{1}), reduction);
  }
}

}  // namespace ddx::nn
