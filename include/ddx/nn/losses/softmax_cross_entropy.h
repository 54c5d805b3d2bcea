/// \file
/// The cross entropy of classes: of probabilities, with smoothed labels, with other reductions than
/// the mean. The plain loss of labels is ddx::softmax_cross_entropy.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/nn/detail/counted_losses.h"
#include "ddx/nn/detail/loss_checks.h"
#include "ddx/nn/detail/options.h"
#include "ddx/nn/losses/reduction.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/indexing.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/softmax.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <optional>
#include <source_location>

namespace ddx::nn {

/// The settings of softmax_cross_entropy.
struct SoftmaxCrossEntropyOptions {
  double label_smoothing = 0;  ///< What part of the probability all classes share equally.
  Reduction reduction = Reduction::Mean;
  /// Of losses of labels: the label of rows that do not count, such as padding; it need not be a
  /// class. PyTorch's default is -100.
  std::optional<std::int64_t> ignore_index = {};
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
  if constexpr (NarrowScalar<Scalar>) {
    using Wide = WideScalar<Scalar>;
    return cast<Scalar>(
        softmax_cross_entropy(cast<Wide>(logits), cast<Wide>(probabilities), options, where));
  } else {
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
}

namespace detail {

/// The loss of each row, whose label counts.
template <FloatingScalar Scalar, IndexScalar Index>
Tensor<Scalar> label_losses(const Tensor<Scalar>& logits, const Tensor<Index>& labels,
                            double label_smoothing, std::source_location where) {
  if (label_smoothing == 0) {
    return softmax_cross_entropy_per_row(logits, labels, where);
  }
  require_rank("softmax_cross_entropy", "logits", logits.shape(), 2, where);
  const Shape rows = logits.shape();
  require_labels("softmax_cross_entropy", labels, rows, where);
  const auto expected = one_hot<Scalar>(labels, rows[1], where);
  return nn::softmax_cross_entropy(
      logits, expected,
      SoftmaxCrossEntropyOptions{.label_smoothing = label_smoothing, .reduction = Reduction::None},
      where);
}

}  // namespace detail

/// Minus the logarithm of the probability that softmax gives to each row's label. Rows with the
/// label `ignore_index` do not count: they have the loss 0 and the gradient 0, whatever their
/// logits, and the mean is that of the others. Where no row counts, the mean is 0.
///
/// Shapes:  logits [n, c], labels [n] -> scalar; [n] without reduction
/// Throws:  UsageError where the shapes do not fit, a label that counts is not in [0, c), or the
///          smoothing is not in [0, 1).
template <FloatingScalar Scalar, IndexScalar Index = std::int32_t>
[[nodiscard]] Tensor<Scalar> softmax_cross_entropy(
    const Tensor<Scalar>& logits, const Tensor<Index>& labels,
    const SoftmaxCrossEntropyOptions& options,
    std::source_location where = std::source_location::current()) {
  if (!options.ignore_index.has_value()) {
    return reduce_losses(detail::label_losses(logits, labels, options.label_smoothing, where),
                         options.reduction);
  }
  constexpr const char* name = "softmax_cross_entropy";
  detail::require_rank(name, "logits", logits.shape(), 2, where);
  detail::require_label_per_row(name, labels.shape(), logits.shape(), where);
  const Tensor<bool> counted =
      not_equal(cast<std::int64_t>(labels), options.ignore_index.value_or(0));
  const Tensor<Index> classes = select(counted, labels, Tensor<Index>());
  const auto losses = detail::label_losses(detail::counted_scores(logits, counted), classes,
                                           options.label_smoothing, where);
  return detail::reduce_counted(losses, counted, options.reduction);
}

}  // namespace ddx::nn
