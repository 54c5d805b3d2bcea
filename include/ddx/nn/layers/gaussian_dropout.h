/// \file
/// Dropout by normal factors.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/nn/detail/options.h"
#include "ddx/nn/detail/step_draws.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/tensor.h"

#include <cmath>

namespace ddx::nn {

/// In a training step (see begin_step), multiplies each element by a number from the normal
/// distribution of mean 1 and variance rate / (1 - rate), those of dropout; else the identity.
///
/// Shapes:  x [...] -> [...]
/// Source:  N. Srivastava et al., "Dropout: a simple way to prevent neural networks from
///          overfitting", JMLR 15 (2014), section 10.
template <FloatingScalar Scalar>
struct GaussianDropout : detail::StepDraws {
  struct Options {
    double rate = 0.5;
  };

  double rate = 0.5;

  /// Throws: UsageError where the rate is not in [0, 1).
  explicit(false) GaussianDropout(const Options& options) : rate(options.rate) {
    detail::require_fraction("GaussianDropout", "rate", options.rate);
  }

  /// Shapes:  x [...] -> [...]
  [[nodiscard]] Tensor<Scalar> operator()(const Tensor<Scalar>& x) const {
    if (!training || rate == 0) {
      return x;
    }
    return x * random_normal<Scalar>(key, x.shape(),
                                     {.mean = 1, .deviation = std::sqrt(rate / (1 - rate))},
                                     x.device());
  }

  DDX_DIFFERENTIABLE(GaussianDropout)
  DDX_NO_DERIVATIVE(rate, training, key)
};

}  // namespace ddx::nn
