/// \file
/// The loss of embeddings that are to point in like or unlike directions.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/nn/detail/loss_checks.h"
#include "ddx/nn/detail/options.h"
#include "ddx/nn/losses/reduction.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>

namespace ddx::nn {

/// The settings of cosine_embedding_loss.
struct CosineEmbeddingOptions {
  double margin = 0;  ///< The cosine that unlike rows may have.
  Reduction reduction = Reduction::Mean;
};

/// 1 - c of each pair of rows with label 1, max(0, c - margin) of each with label -1, c being the
/// cosine of the angle between the rows. 1e-12 is added to the squared length of each row.
///
/// Shapes:  first [n, d], second [n, d], labels [n] -> scalar; [n] without reduction
/// Throws:  UsageError where the rank is not 2, the shapes do not fit, a label is neither 1 nor -1,
///          or the margin is not in [-1, 1].
template <FloatingScalar Scalar, IndexScalar Index = std::int32_t>
[[nodiscard]] Tensor<Scalar> cosine_embedding_loss(
    const Tensor<Scalar>& first, const Tensor<Scalar>& second, const Tensor<Index>& labels,
    const CosineEmbeddingOptions& options = {},
    std::source_location where = std::source_location::current()) {
  if constexpr (NarrowScalar<Scalar>) {
    using Wide = WideScalar<Scalar>;
    return cast<Scalar>(
        cosine_embedding_loss(cast<Wide>(first), cast<Wide>(second), labels, options, where));
  } else {
    constexpr const char* name = "cosine_embedding_loss";
    detail::require_rank(name, "first", first.shape(), 2, where);
    detail::require_equal_shapes(name, "first", first.shape(), "second", second.shape(), where);
    detail::require_equal_shapes(name, "labels", labels.shape(), "the list of rows",
                                 Shape{first.shape()[0]}, where);
    detail::require_two_valued(name, labels, 1, -1, where);
    detail::require_within(name, "margin", options.margin, -1, 1);
    const auto least = static_cast<Scalar>(1e-12);
    const auto squares =
        (sum(square(first), {.axes = {1}}) + least) * (sum(square(second), {.axes = {1}}) + least);
    const auto cosine = sum(first * second, {.axes = {1}}) / sqrt(squares);
    const auto losses = select(equal(labels, Index{1}), Scalar{1} - cosine,
                               relu(cosine - static_cast<Scalar>(options.margin)));
    return reduce_losses(losses, options.reduction);
  }
}

}  // namespace ddx::nn
