/// \file
/// Dropout for networks that normalise themselves.

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

/// In a training step (see begin_step), sets each element with probability `rate` to the least
/// value l of selu, -1.758..., and maps all by a x + b so that mean 0 and variance 1 stay; else the
/// identity. With q = 1 - rate, a = (q + l^2 q rate)^(-1/2) and b = -a rate l.
///
/// Shapes:  x [...] -> [...]
/// Source:  G. Klambauer et al., "Self-normalizing neural networks", NeurIPS 2017.
template <FloatingScalar Scalar>
struct AlphaDropout : detail::StepDraws {
  struct Options {
    double rate = 0.5;
  };

  double rate = 0.5;

  /// Throws: UsageError where the rate is not in [0, 1).
  explicit(false) AlphaDropout(const Options& options) : rate(options.rate) {
    detail::require_fraction("AlphaDropout", "rate", options.rate);
  }

  /// Shapes:  x [...] -> [...]
  [[nodiscard]] Tensor<Scalar> operator()(const Tensor<Scalar>& x) const {
    if (!training || rate == 0) {
      return x;
    }
    constexpr double least = -1.6732632423543772848 * 1.0507009873554804934;  // -alpha scale.
    const double kept = 1 - rate;
    const double factor = 1 / std::sqrt(kept + least * least * kept * rate);
    const auto stays = random_bernoulli<Scalar>(key, x.shape(), kept, x.device());
    // x or the least value, a times, plus b.
    const auto offsets = (stays * static_cast<Scalar>(-1) + static_cast<Scalar>(1 - rate)) *
                         static_cast<Scalar>(factor * least);
    return x * (stays * static_cast<Scalar>(factor)) + offsets;
  }

  DDX_DIFFERENTIABLE(AlphaDropout)
  DDX_NO_DERIVATIVE(rate, training, key)
};

}  // namespace ddx::nn
