/// \file
/// The Bernoulli distribution.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/distributions/detail/parameters.h"
#include "ddx/tensor/activation.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/tensor.h"

namespace ddx::distributions {

/// Trials that succeed with probability sigmoid(logits), one for each element.
template <FloatingScalar Scalar>
struct Bernoulli {
  Tensor<Scalar> logits;

  explicit Bernoulli(const Tensor<Scalar>& given_logits) : logits(given_logits) {}

  /// Samples: ones and zeros. No gradient flows through them. Devices agree up to the rounding of
  /// sigmoid.
  ///
  /// Returns: [shape..., batch...]
  [[nodiscard]] Tensor<Scalar> sample(RandomKey key, const Shape& shape = {}) const {
    const Shape drawn = detail::shape_of_sample(shape, logits, logits);
    return cast<Scalar>(
        less(random_uniform<Scalar>(key, drawn, {}, logits.device()), sigmoid(logits)));
  }

  /// x logits - log(1 + e^logits), the logarithm of the probability of an x of 0 or 1.
  ///
  /// Shapes:  x [...], broadcast with the batch
  [[nodiscard]] Tensor<Scalar> log_probability(const Tensor<Scalar>& x) const {
    return x * logits - softplus(logits);
  }

  [[nodiscard]] Tensor<Scalar> mean() const { return sigmoid(logits); }
  [[nodiscard]] Tensor<Scalar> variance() const { return sigmoid(logits) * sigmoid(-logits); }

  /// log(1 + e^logits) - logits sigmoid(logits).
  [[nodiscard]] Tensor<Scalar> entropy() const {
    return softplus(logits) - logits * sigmoid(logits);
  }

  DDX_DIFFERENTIABLE(Bernoulli, logits)
};

/// The mean under p of the difference of the logarithms of the probabilities.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> kl_divergence(const Bernoulli<Scalar>& p, const Bernoulli<Scalar>& q) {
  return sigmoid(p.logits) * (p.logits - q.logits) - softplus(p.logits) + softplus(q.logits);
}

}  // namespace ddx::distributions
