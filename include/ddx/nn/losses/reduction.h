/// \file
/// How the losses of single elements or samples become the loss of a batch.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>

namespace ddx::nn {

/// What is made of several losses: their mean, their sum, or nothing, so that each can be seen.
enum class Reduction : std::uint8_t { Mean, Sum, None };

/// The losses reduced.
///
/// Shapes:  losses [...] -> scalar; [...] without reduction
/// Returns: The mean of no losses is NaN, their sum is 0.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> reduce_losses(const Tensor<Scalar>& losses, Reduction reduction) {
  switch (reduction) {
    case Reduction::Mean:
      return mean(losses);
    case Reduction::Sum:
      return sum(losses);
    case Reduction::None:
      break;
  }
  return losses;
}

}  // namespace ddx::nn
