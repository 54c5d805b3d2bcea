/// \file
/// The Huber loss.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/nn/detail/loss_checks.h"
#include "ddx/nn/detail/options.h"
#include "ddx/nn/losses/reduction.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/tensor.h"

#include <source_location>

namespace ddx::nn {

/// The settings of huber_loss.
struct HuberOptions {
  double delta = 1;  ///< The error up to which the loss is a square.
  Reduction reduction = Reduction::Sum;
};

/// e^2 / 2 of each element with an error e = |predicted - expected| up to delta, and
/// delta (e - delta / 2) beyond; summed.
///
/// Shapes:  predicted [...], expected [...] -> scalar; [...] without reduction
/// Throws:  UsageError where the shapes differ, or delta is not positive and finite.
/// Source:  P. Huber, "Robust estimation of a location parameter", 1964.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> huber_loss(
    const Tensor<Scalar>& predicted, const Tensor<Scalar>& expected,
    const HuberOptions& options = {},
    std::source_location where = std::source_location::current()) {
  if constexpr (NarrowScalar<Scalar>) {
    using Wide = WideScalar<Scalar>;
    return cast<Scalar>(huber_loss(cast<Wide>(predicted), cast<Wide>(expected), options, where));
  } else {
    detail::require_equal_shapes("huber_loss", "predicted", predicted.shape(), "expected",
                                 expected.shape(), where);
    detail::require_above_zero("huber_loss", "delta", options.delta);
    const auto delta = static_cast<Scalar>(options.delta);
    const auto size = abs(predicted - expected);
    const auto linear = relu(size - delta);
    const auto squared = size - linear;
    const auto losses = square(squared) * Scalar{0.5} + linear * delta;
    return reduce_losses(losses, options.reduction);
  }
}

}  // namespace ddx::nn
