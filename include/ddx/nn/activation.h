/// \file
/// The functions that layers apply to their results.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>

namespace ddx::nn {

/// What a layer applies to its result, element by element.
enum class Activation : std::uint8_t { Identity, ReLU, Sigmoid, Tanh };

/// The activation of each element.
///
/// Shapes:  x [...] -> [...]
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> activate(const Tensor<Scalar>& x, Activation activation) {
  switch (activation) {
    case Activation::Identity:
      break;
    case Activation::ReLU:
      return relu(x);
    case Activation::Sigmoid:
      return sigmoid(x);
    case Activation::Tanh:
      return tanh(x);
  }
  return x;
}

}  // namespace ddx::nn
