/// \file
/// The logarithm of the hyperbolic cosine of the error.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/nn/detail/loss_checks.h"
#include "ddx/nn/losses/reduction.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/tensor.h"

#include <numbers>
#include <source_location>

namespace ddx::nn {

/// log(cosh(predicted - expected)) of each element: half its square where it is small, its size
/// less log 2 where it is large; no size overflows.
///
/// Shapes:  predicted [...], expected [...] -> scalar; [...] without reduction
/// Throws:  UsageError where the shapes differ.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> log_cosh_loss(
    const Tensor<Scalar>& predicted, const Tensor<Scalar>& expected,
    Reduction reduction = Reduction::Mean,
    std::source_location where = std::source_location::current()) {
  if constexpr (NarrowScalar<Scalar>) {
    using Wide = WideScalar<Scalar>;
    return cast<Scalar>(
        log_cosh_loss(cast<Wide>(predicted), cast<Wide>(expected), reduction, where));
  } else {
    detail::require_equal_shapes("log_cosh_loss", "predicted", predicted.shape(), "expected",
                                 expected.shape(), where);
    // log cosh e = |e| + log(1 + exp(-2 |e|)) - log 2.
    const auto size = abs(predicted - expected);
    const auto losses =
        size + log1p(exp(size * Scalar{-2})) - static_cast<Scalar>(std::numbers::ln2);
    return reduce_losses(losses, reduction);
  }
}

}  // namespace ddx::nn
