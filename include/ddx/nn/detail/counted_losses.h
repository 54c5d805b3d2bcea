/// \file
/// Losses of rows of which some do not count.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/nn/losses/reduction.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/clip.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>

namespace ddx::nn::detail {

/// The scores of the rows that count; zeros in the others, so that no infinity or NaN of theirs
/// reaches a result or a gradient.
///
/// Shapes:  scores [n, c], counted [n] -> [n, c]
template <FloatingScalar Scalar>
Tensor<Scalar> counted_scores(const Tensor<Scalar>& scores, const Tensor<bool>& counted) {
  return select(reshape(counted, {-1, 1}), scores, Tensor<Scalar>());
}

/// The losses reduced; rows that do not count have the loss 0, and the mean is that of the others,
/// 0 where there are none. Sums of 16-bit elements are computed in f32.
///
/// Shapes:  losses [n], counted [n] -> scalar; [n] without reduction
template <FloatingScalar Scalar>
Tensor<Scalar> reduce_counted(const Tensor<Scalar>& losses, const Tensor<bool>& counted,
                              Reduction reduction) {
  using Wide = WideScalar<Scalar>;
  const auto each = select(counted, losses, Tensor<Scalar>());
  if (reduction != Reduction::Mean) {
    return reduce_losses(each, reduction);
  }
  const auto count = maximum(cast<Wide>(sum(counted)), Wide{1});
  return cast<Scalar>(sum(cast<Wide>(each)) / count);
}

}  // namespace ddx::nn::detail
