/// \file
/// The gamma distribution.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/ad/without_derivative.h"
#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/distributions/detail/parameters.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/random_gamma.h"
#include "ddx/tensor/special_functions.h"
#include "ddx/tensor/tensor.h"

#include <source_location>

namespace ddx::distributions {

/// Gamma distributions, one for each element: densities rate^a x^(a-1) e^(-rate x) / gamma(a).
///
/// Shapes:  concentration [...], rate [...], which broadcast to [batch...]
template <FloatingScalar Scalar>
struct Gamma {
  Tensor<Scalar> concentration;
  Tensor<Scalar> rate;

  /// Throws: UsageError if a parameter is not above 0 or the shapes do not broadcast.
  Gamma(const Tensor<Scalar>& given_concentration, const Tensor<Scalar>& given_rate,
        std::source_location where = std::source_location::current())
      : concentration(given_concentration), rate(given_rate) {
    detail::require_above_zero("Gamma", "concentration", without_derivative(given_concentration),
                               where);
    detail::require_above_zero("Gamma", "rate", without_derivative(given_rate), where);
    detail::require_fitting("Gamma", given_concentration, given_rate, where);
  }

  /// Samples; the gradient flows to the parameters, as in random_gamma.
  ///
  /// Returns: [shape..., batch...]
  [[nodiscard]] Tensor<Scalar> sample(RandomKey key, const Shape& shape = {}) const {
    const Shape drawn = detail::shape_of_sample(shape, concentration, rate);
    return random_gamma(key, broadcast_to(concentration, drawn)) / rate;
  }

  /// a log(rate) + (a - 1) log(x) - rate x - log(gamma(a)), of x above 0.
  ///
  /// Shapes:  x [...], broadcast with the batch
  [[nodiscard]] Tensor<Scalar> log_probability(const Tensor<Scalar>& x) const {
    return concentration * log(rate) + (concentration - Scalar{1}) * log(x) - rate * x -
           lgamma(concentration);
  }

  [[nodiscard]] Tensor<Scalar> mean() const { return concentration / rate; }
  [[nodiscard]] Tensor<Scalar> variance() const { return concentration / square(rate); }

  /// a - log(rate) + log(gamma(a)) + (1 - a) digamma(a).
  [[nodiscard]] Tensor<Scalar> entropy() const {
    return concentration - log(rate) + lgamma(concentration) -
           (concentration - Scalar{1}) * digamma(concentration);
  }

  DDX_DIFFERENTIABLE(Gamma, concentration, rate)
};

/// The Kullback-Leibler divergence of two gamma distributions.
///
/// Source:  W. Penny, "Kullback-Leibler divergences of normal, gamma, Dirichlet and Wishart
///          densities", 2001.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> kl_divergence(const Gamma<Scalar>& p, const Gamma<Scalar>& q) {
  return (p.concentration - q.concentration) * digamma(p.concentration) - lgamma(p.concentration) +
         lgamma(q.concentration) + q.concentration * log(p.rate / q.rate) +
         p.concentration * (q.rate / p.rate - Scalar{1});
}

}  // namespace ddx::distributions
