/// \file
/// The functions that layers apply to their results.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/tensor/activation.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>

namespace ddx::nn {

/// What a layer applies to its result, element by element: the function of ddx with the same name.
/// Those with parameters have their default ones.
enum class Activation : std::uint8_t {
  Identity,
  ReLU,
  Sigmoid,
  Tanh,
  GELU,
  GELUTanh,
  SiLU,
  ReLU6,
  LeakyReLU,
  ELU,
  SELU,
  Softplus,
  Softsign,
  LogSigmoid,
  HardSigmoid,
  HardSwish,
  Mish
};

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
    case Activation::GELU:
      return gelu(x);
    case Activation::GELUTanh:
      return gelu_tanh(x);
    case Activation::SiLU:
      return silu(x);
    case Activation::ReLU6:
      return relu6(x);
    case Activation::LeakyReLU:
      return leaky_relu(x);
    case Activation::ELU:
      return elu(x);
    case Activation::SELU:
      return selu(x);
    case Activation::Softplus:
      return softplus(x);
    case Activation::Softsign:
      return softsign(x);
    case Activation::LogSigmoid:
      return log_sigmoid(x);
    case Activation::HardSigmoid:
      return hard_sigmoid(x);
    case Activation::HardSwish:
      return hard_swish(x);
    case Activation::Mish:
      return mish(x);
  }
  return x;
}

}  // namespace ddx::nn
