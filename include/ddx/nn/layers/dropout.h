/// \file
/// Dropout.

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

/// In a training step (see begin_step), zeroes each element with probability `rate` and divides the
/// others by 1 - rate; else the identity.
///
/// Shapes:  x [...] -> [...]
/// Source:  N. Srivastava et al., "Dropout: a simple way to prevent neural networks from
///          overfitting", JMLR 15 (2014).
template <FloatingScalar Scalar>
struct Dropout : detail::StepDraws {
  struct Options {
    double rate = 0.5;
  };

  double rate = 0.5;

  /// Throws: UsageError where the rate is not in [0, 1).
  explicit(false) Dropout(const Options& options) : rate(options.rate) {
    detail::require_fraction("Dropout", "rate", options.rate);
  }

  /// Shapes:  x [...] -> [...]
  [[nodiscard]] Tensor<Scalar> operator()(const Tensor<Scalar>& x) const {
    if (!training || rate == 0) {
      return x;
    }
    const double kept = 1 - rate;
    return x * (random_bernoulli<Scalar>(key, x.shape(), kept, x.device()) *
                static_cast<Scalar>(1 / kept));
  }

  DDX_DIFFERENTIABLE(Dropout)
  DDX_NO_DERIVATIVE(rate, training, key)
};

}  // namespace ddx::nn
