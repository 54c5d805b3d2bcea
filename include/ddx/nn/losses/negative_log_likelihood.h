/// \file
/// The negative log-likelihood of labels.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/nn/detail/loss_checks.h"
#include "ddx/nn/losses/reduction.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/indexing.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>

namespace ddx::nn {

/// Minus the logarithm of the probability that a row gives to its label.
///
/// Shapes:  log_probabilities [n, c], labels [n] -> scalar; [n] without reduction
/// Throws:  UsageError where the shapes do not fit, or a label is not in [0, c).
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> negative_log_likelihood(
    const Tensor<Scalar>& log_probabilities, const Tensor<std::int32_t>& labels,
    Reduction reduction = Reduction::Mean,
    std::source_location where = std::source_location::current()) {
  detail::require_rank("negative_log_likelihood", "log_probabilities", log_probabilities.shape(), 2,
                       where);
  const Shape rows = log_probabilities.shape();
  detail::require_labels("negative_log_likelihood", labels, rows, where);
  const auto chosen = one_hot<bool>(labels, rows[1], where);
  // Chosen, not multiplied: a logarithm of 0 beside the label does not count.
  const auto likelihood = sum(select(chosen, log_probabilities, Tensor<Scalar>()), {.axes = {1}});
  return reduce_losses(-likelihood, reduction);
}

}  // namespace ddx::nn
