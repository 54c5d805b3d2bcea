/// \file
/// The focal loss.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/nn/detail/loss_checks.h"
#include "ddx/nn/detail/options.h"
#include "ddx/nn/losses/reduction.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/tensor.h"

#include <optional>
#include <source_location>

namespace ddx::nn {

/// The settings of focal_loss.
struct FocalOptions {
  double gamma = 2;  ///< How little what is already right counts; 0: as much as the rest.
  std::optional<double> alpha = 0.25;  ///< The weight of label 1; label 0 has 1 - alpha. None: both
                                       ///< have 1.
  Reduction reduction = Reduction::Mean;
};

/// -a (1 - p)^gamma log(p) of each element, where p is the probability that sigmoid(logit) gives to
/// the label, which is 0 or 1, and a the label's weight. No logit overflows.
///
/// Shapes:  logits [...], labels [...] -> scalar; [...] without reduction
/// Throws:  UsageError where the shapes differ, a label is neither 0 nor 1, gamma is negative or
///          not finite, or alpha is not in [0, 1].
/// Source:  T.-Y. Lin, P. Goyal, R. Girshick, K. He, P. Dollar, "Focal loss for dense object
///          detection", ICCV 2017.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> focal_loss(
    const Tensor<Scalar>& logits, const Tensor<Scalar>& labels, const FocalOptions& options = {},
    std::source_location where = std::source_location::current()) {
  if constexpr (NarrowScalar<Scalar>) {
    using Wide = WideScalar<Scalar>;
    return cast<Scalar>(focal_loss(cast<Wide>(logits), cast<Wide>(labels), options, where));
  } else {
    detail::require_equal_shapes("focal_loss", "logits", logits.shape(), "labels", labels.shape(),
                                 where);
    detail::require_two_valued("focal_loss", labels, 0, 1, where);
    detail::require_not_negative("focal_loss", "gamma", options.gamma);
    const double of_one = options.alpha.value_or(1);
    const double of_zero = options.alpha ? 1 - of_one : 1;
    detail::require_within("focal_loss", "alpha", of_one, 0, 1);
    const auto weights =
        labels * static_cast<Scalar>(of_one - of_zero) + static_cast<Scalar>(of_zero);
    // With the logit s of the label, 1 - p = exp(-log(1 + e^s)) and -log p = log(1 + e^-s).
    const auto logit = logits * (labels * Scalar{2} - Scalar{1});
    const auto tail = log1p(exp(-abs(logit)));
    const auto wrong = maximum(logit, Tensor<Scalar>()) + tail;
    const auto cross_entropy = maximum(-logit, Tensor<Scalar>()) + tail;
    const auto focus = exp(wrong * static_cast<Scalar>(-options.gamma));
    return reduce_losses(weights * focus * cross_entropy, options.reduction);
  }
}

}  // namespace ddx::nn
