/// \file
/// The L1 loss.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/nn/detail/loss_checks.h"
#include "ddx/nn/losses/reduction.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/tensor.h"

#include <source_location>

namespace ddx::nn {

/// |predicted - expected| of each element, summed.
///
/// Shapes:  predicted [...], expected [...] -> scalar; [...] without reduction
/// Throws:  UsageError where the shapes differ.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> l1_loss(const Tensor<Scalar>& predicted,
                                     const Tensor<Scalar>& expected,
                                     Reduction reduction = Reduction::Sum,
                                     std::source_location where = std::source_location::current()) {
  if constexpr (NarrowScalar<Scalar>) {
    using Wide = WideScalar<Scalar>;
    return cast<Scalar>(l1_loss(cast<Wide>(predicted), cast<Wide>(expected), reduction, where));
  } else {
    detail::require_equal_shapes("l1_loss", "predicted", predicted.shape(), "expected",
                                 expected.shape(), where);
    return reduce_losses(abs(predicted - expected), reduction);
  }
}

}  // namespace ddx::nn
