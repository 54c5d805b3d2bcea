/// \file
/// The cross entropy of independent bits.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/nn/detail/loss_checks.h"
#include "ddx/nn/losses/reduction.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include <source_location>

namespace ddx::nn {

/// -label log(p) - (1 - label) log(1 - p) of each element, with p = sigmoid(logit): no logit
/// overflows. Labels are probabilities in [0, 1].
///
/// Shapes:  logits [...], labels [...] -> scalar; [...] without reduction
/// Throws:  UsageError where the shapes differ.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> sigmoid_cross_entropy(
    const Tensor<Scalar>& logits, const Tensor<Scalar>& labels,
    Reduction reduction = Reduction::Mean,
    std::source_location where = std::source_location::current()) {
  if constexpr (NarrowScalar<Scalar>) {
    using Wide = WideScalar<Scalar>;
    return cast<Scalar>(
        sigmoid_cross_entropy(cast<Wide>(logits), cast<Wide>(labels), reduction, where));
  } else {
    detail::require_equal_shapes("sigmoid_cross_entropy", "logits", logits.shape(), "labels",
                                 labels.shape(), where);
    // max(x, 0) - x label + log(1 + exp(-|x|)); at 0 the halves of the first term's slope join.
    const auto positive = maximum(logits, Tensor<Scalar>());
    const auto losses = positive - logits * labels + log1p(exp(-abs(logits)));
    return reduce_losses(losses, reduction);
  }
}

}  // namespace ddx::nn
