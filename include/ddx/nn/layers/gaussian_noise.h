/// \file
/// Normal noise in training.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/nn/detail/options.h"
#include "ddx/nn/detail/step_draws.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/tensor.h"

namespace ddx::nn {

/// In a training step (see begin_step), adds normal noise to each element; else the identity.
///
/// Shapes:  x [...] -> [...]
template <FloatingScalar Scalar>
struct GaussianNoise : detail::StepDraws {
  struct Options {
    double deviation = 1;
  };

  double deviation = 1;

  /// Throws: UsageError where the deviation is negative or not finite.
  explicit(false) GaussianNoise(const Options& options) : deviation(options.deviation) {
    detail::require_not_negative("GaussianNoise", "deviation", options.deviation);
  }

  /// Shapes:  x [...] -> [...]
  [[nodiscard]] Tensor<Scalar> operator()(const Tensor<Scalar>& x) const {
    if (!training || deviation == 0) {
      return x;
    }
    return x + random_normal<Scalar>(key, x.shape(), {.deviation = deviation}, x.device());
  }

  DDX_DIFFERENTIABLE(GaussianNoise)
  DDX_NO_DERIVATIVE(deviation, training, key)
};

}  // namespace ddx::nn
