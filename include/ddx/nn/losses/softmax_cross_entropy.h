/// \file
/// The cross entropy of classes: of probabilities, with smoothed labels, with other reductions than
/// the mean. The plain loss of labels is ddx::softmax_cross_entropy.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/nn/detail/loss_checks.h"
#include "ddx/nn/detail/options.h"
#include "ddx/nn/losses/reduction.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/indexing.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/softmax.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>

namespace ddx::nn {

/// The settings of softmax_cross_entropy.
struct SoftmaxCrossEntropyOptions {
  double label_smoothing = 0;  ///< What part of the probability all classes share equally.
  Reduction reduction = Reduction::Mean;
};

/// Minus the sum of probability log(softmax(logits)) of each row. A probability of 0 does not
/// count, whatever the logit.
///
/// Shapes:  logits [..., c], probabilities [..., c] -> scalar; [...] without reduction
/// Throws:  UsageError where the shapes differ or have no axis, or the smoothing is not in [0, 1).
/// Source:  smoothing: C. Szegedy et al., "Rethinking the Inception architecture for computer
///          vision", CVPR 2016.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> softmax_cross_entropy(
    const Tensor<Scalar>& logits, const Tensor<Scalar>& probabilities,
    const SoftmaxCrossEntropyOptions& options = {},
    std::source_location where = std::source_location::current()) {
  constexpr const char* name = "softmax_cross_entropy";
  detail::require_equal_shapes(name, "logits", logits.shape(), "probabilities",
                               probabilities.shape(), where);
  detail::require_fraction(name, "label_smoothing", options.label_smoothing);
  const auto logarithms = log_softmax(logits, -1, where);
  const double smoothing = options.label_smoothing;
  auto expected = probabilities;
  if (smoothing > 0) {
    const auto classes = static_cast<double>(logits.shape()[logits.rank() - 1]);
    expected =
        expected * static_cast<Scalar>(1 - smoothing) + static_cast<Scalar>(smoothing / classes);
  }
  const Tensor<Scalar> zero;
  const auto counted = select(equal(expected, Scalar{0}), zero, logarithms);
  return reduce_losses(-sum(expected * counted, {.axes = {-1}}), options.reduction);
}

/// Minus the logarithm of the probability that softmax gives to each row's label.
///
/// Shapes:  logits [n, c], labels [n] -> scalar; [n] without reduction
/// Throws:  UsageError where the shapes do not fit, a label is not in [0, c), or the smoothing is
///          not in [0, 1).
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> softmax_cross_entropy(
    const Tensor<Scalar>& logits, const Tensor<std::int32_t>& labels,
    const SoftmaxCrossEntropyOptions& options,
    std::source_location where = std::source_location::current()) {
  if (options.label_smoothing == 0) {
    return reduce_losses(softmax_cross_entropy_per_row(logits, labels, where), options.reduction);
  }
  detail::require_rank("softmax_cross_entropy", "logits", logits.shape(), 2, where);
  const Shape rows = logits.shape();
  detail::require_labels("softmax_cross_entropy", labels, rows, where);
  return nn::softmax_cross_entropy(logits, one_hot<Scalar>(labels, rows[1], where), options, where);
}

}  // namespace ddx::nn
