/// \file
/// The Kullback-Leibler divergence.

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

/// expected log(expected / predicted) of each element, summed: how far the expected distribution is
/// from the predicted one. Where `expected` is 0, so is the product.
///
/// Shapes:  predicted [...], expected [...] -> scalar; [...] without reduction
/// Throws:  UsageError where the shapes differ.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> kullback_leibler_divergence(
    const Tensor<Scalar>& predicted, const Tensor<Scalar>& expected,
    Reduction reduction = Reduction::Sum,
    std::source_location where = std::source_location::current()) {
  if constexpr (NarrowScalar<Scalar>) {
    using Wide = WideScalar<Scalar>;
    return cast<Scalar>(
        kullback_leibler_divergence(cast<Wide>(predicted), cast<Wide>(expected), reduction, where));
  } else {
    detail::require_equal_shapes("kullback_leibler_divergence", "predicted", predicted.shape(),
                                 "expected", expected.shape(), where);
    const auto counted = greater(expected, Scalar{0});
    const auto one = ones_like(predicted);
    const auto logarithm =
        log(select(counted, expected, one)) - log(select(counted, predicted, one));
    return reduce_losses(expected * logarithm, reduction);
  }
}

}  // namespace ddx::nn
