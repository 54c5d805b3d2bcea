/// \file
/// The triplet loss.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/nn/detail/loss_checks.h"
#include "ddx/nn/detail/options.h"
#include "ddx/nn/losses/reduction.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include <source_location>

namespace ddx::nn {

/// The settings of triplet_loss.
struct TripletOptions {
  double margin = 1;  ///< How much nearer the positive is to be than the negative.
  Reduction reduction = Reduction::Mean;
};

namespace detail {

/// The Euclidean distance of each row, with 1e-6 added to each difference: it is differentiable
/// where two rows are equal.
template <FloatingScalar Scalar>
Tensor<Scalar> row_distance(const Tensor<Scalar>& a, const Tensor<Scalar>& b) {
  return sqrt(sum(square(a - b + static_cast<Scalar>(1e-6)), {.axes = {1}}));
}

}  // namespace detail

/// max(0, |anchor - positive| - |anchor - negative| + margin) of each row, with Euclidean
/// distances.
///
/// Shapes:  anchor [n, d], positive [n, d], negative [n, d] -> scalar; [n] without reduction
/// Throws:  UsageError where the rank is not 2, the shapes differ, or the margin is negative or not
///          finite.
/// Source:  F. Schroff, D. Kalenichenko, J. Philbin, "FaceNet: a unified embedding for face
///          recognition and clustering", CVPR 2015, with plain distances as in PyTorch.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> triplet_loss(
    const Tensor<Scalar>& anchor, const Tensor<Scalar>& positive, const Tensor<Scalar>& negative,
    const TripletOptions& options = {},
    std::source_location where = std::source_location::current()) {
  if constexpr (NarrowScalar<Scalar>) {
    using Wide = WideScalar<Scalar>;
    return cast<Scalar>(triplet_loss(cast<Wide>(anchor), cast<Wide>(positive), cast<Wide>(negative),
                                     options, where));
  } else {
    constexpr const char* name = "triplet_loss";
    detail::require_rank(name, "anchor", anchor.shape(), 2, where);
    detail::require_equal_shapes(name, "anchor", anchor.shape(), "positive", positive.shape(),
                                 where);
    detail::require_equal_shapes(name, "anchor", anchor.shape(), "negative", negative.shape(),
                                 where);
    detail::require_not_negative(name, "margin", options.margin);
    const auto excess = detail::row_distance(anchor, positive) -
                        detail::row_distance(anchor, negative) +
                        static_cast<Scalar>(options.margin);
    return reduce_losses(relu(excess), options.reduction);
  }
}

}  // namespace ddx::nn
