/// \file
/// The loss of Poisson regression.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/nn/detail/loss_checks.h"
#include "ddx/nn/losses/reduction.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/tensor.h"

#include <source_location>

namespace ddx::nn {

/// predicted - expected log(predicted) of each element: the negative log-likelihood of counts with
/// mean `predicted`, without the term that does not depend on it. Where `expected` is 0, so is the
/// product.
///
/// Shapes:  predicted [...], expected [...] -> scalar; [...] without reduction
/// Throws:  UsageError where the shapes differ.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> poisson_loss(
    const Tensor<Scalar>& predicted, const Tensor<Scalar>& expected,
    Reduction reduction = Reduction::Mean,
    std::source_location where = std::source_location::current()) {
  if constexpr (NarrowScalar<Scalar>) {
    using Wide = WideScalar<Scalar>;
    return cast<Scalar>(
        poisson_loss(cast<Wide>(predicted), cast<Wide>(expected), reduction, where));
  } else {
    detail::require_equal_shapes("poisson_loss", "predicted", predicted.shape(), "expected",
                                 expected.shape(), where);
    const auto counted = greater(expected, Scalar{0});
    const auto logarithm = log(select(counted, predicted, ones_like(predicted)));
    return reduce_losses(predicted - expected * logarithm, reduction);
  }
}

}  // namespace ddx::nn
