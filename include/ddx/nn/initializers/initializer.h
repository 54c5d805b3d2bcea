/// \file
/// The values that weights have before training.

#pragma once

#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/tensor.h"

#include <cmath>
#include <cstdint>

namespace ddx::nn {

/// A rule for the initial values of a weight.
///
/// With n inputs and m outputs per unit, the variance of the values is 2 / (n + m) after Glorot and
/// 2 / n after He; uniform ones lie in [-a, a) with a = sqrt(3 variance).
///
/// Source:  X. Glorot, Y. Bengio, "Understanding the difficulty of training deep feedforward neural
///          networks", AISTATS 2010. K. He, X. Zhang, S. Ren, J. Sun, "Delving deep into
///          rectifiers", ICCV 2015.
enum class Initializer : std::uint8_t { Zeros, GlorotUniform, GlorotNormal, HeUniform, HeNormal };

/// How many numbers a unit of a layer reads, and how many units read each number.
struct Fans {
  std::int64_t in = 1;
  std::int64_t out = 1;
};

/// The standard deviation of the initial values; 0 for zeros.
[[nodiscard]] double initial_deviation(Initializer initializer, Fans fans) noexcept;

/// Initial values. Equal keys give equal values on every device.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> initial_values(Initializer initializer, const Shape& shape, Fans fans,
                                            RandomKey key, Device device = {}) {
  const double deviation = initial_deviation(initializer, fans);
  switch (initializer) {
    case Initializer::Zeros:
      break;
    case Initializer::GlorotUniform:
    case Initializer::HeUniform: {
      const double bound = std::sqrt(3.0) * deviation;
      return random_uniform<Scalar>(key, shape, {.low = -bound, .high = bound}, device);
    }
    case Initializer::GlorotNormal:
    case Initializer::HeNormal:
      return random_normal<Scalar>(key, shape, {.mean = 0, .deviation = deviation}, device);
  }
  return zeros<Scalar>(shape, device);
}

}  // namespace ddx::nn
