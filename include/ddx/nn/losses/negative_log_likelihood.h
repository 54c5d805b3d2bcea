/// \file
/// The negative log-likelihood of labels.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/nn/detail/counted_losses.h"
#include "ddx/nn/detail/loss_checks.h"
#include "ddx/nn/losses/reduction.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/indexing.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <optional>
#include <source_location>

namespace ddx::nn {

/// The settings of negative_log_likelihood.
struct NegativeLogLikelihoodOptions {
  Reduction reduction = Reduction::Mean;
  /// The label of rows that do not count, as in SoftmaxCrossEntropyOptions.
  std::optional<std::int64_t> ignore_index = {};
};

/// Minus the logarithm of the probability that a row gives to its label. Rows with the label
/// `ignore_index` have the loss 0 and the gradient 0; the mean is that of the others, 0 where there
/// are none.
///
/// Shapes:  log_probabilities [n, c], labels [n] -> scalar; [n] without reduction
/// Throws:  UsageError where the shapes do not fit, or a label that counts is not in [0, c).
template <FloatingScalar Scalar, IndexScalar Index = std::int32_t>
[[nodiscard]] Tensor<Scalar> negative_log_likelihood(
    const Tensor<Scalar>& log_probabilities, const Tensor<Index>& labels,
    const NegativeLogLikelihoodOptions& options,
    std::source_location where = std::source_location::current()) {
  constexpr const char* name = "negative_log_likelihood";
  detail::require_rank(name, "log_probabilities", log_probabilities.shape(), 2, where);
  const Shape rows = log_probabilities.shape();
  detail::require_label_per_row(name, labels.shape(), rows, where);
  Tensor<bool> counted;
  Tensor<Index> classes = labels;
  if (options.ignore_index.has_value()) {
    counted = not_equal(cast<std::int64_t>(labels), options.ignore_index.value_or(0));
    classes = select(counted, labels, Tensor<Index>());
  }
  detail::require_labels(name, classes, rows, where);
  auto chosen = one_hot<bool>(classes, rows[1], where);
  if (options.ignore_index.has_value()) {
    chosen = logical_and(chosen, reshape(counted, {-1, 1}));
  }
  // Chosen, not multiplied: a logarithm of 0 beside the label does not count.
  const auto losses = -sum(select(chosen, log_probabilities, Tensor<Scalar>()), {.axes = {1}});
  if (!options.ignore_index.has_value()) {
    return reduce_losses(losses, options.reduction);
  }
  return detail::reduce_counted(losses, counted, options.reduction);
}

/// As above, with a reduction alone.
///
/// Shapes:  log_probabilities [n, c], labels [n] -> scalar; [n] without reduction
template <FloatingScalar Scalar, IndexScalar Index = std::int32_t>
[[nodiscard]] Tensor<Scalar> negative_log_likelihood(
    const Tensor<Scalar>& log_probabilities, const Tensor<Index>& labels,
    Reduction reduction = Reduction::Mean,
    std::source_location where = std::source_location::current()) {
  return negative_log_likelihood(log_probabilities, labels,
                                 NegativeLogLikelihoodOptions{.reduction = reduction}, where);
}

}  // namespace ddx::nn
