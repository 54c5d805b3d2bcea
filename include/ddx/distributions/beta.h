/// \file
/// The beta distribution.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/ad/without_derivative.h"
#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/distributions/detail/parameters.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/exponential.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/random_gamma.h"
#include "ddx/tensor/special_functions.h"
#include "ddx/tensor/tensor.h"

#include <source_location>

namespace ddx::distributions {

namespace detail {

/// The logarithm of the beta function.
///
/// Shapes:  a [...], b [...] -> [...]
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> log_beta(const Tensor<Scalar>& a, const Tensor<Scalar>& b) {
  return lgamma(a) + lgamma(b) - lgamma(a + b);
}

}  // namespace detail

/// Beta distributions on [0, 1], one for each element: densities x^(a-1) (1-x)^(b-1) / B(a, b).
///
/// Shapes:  a [...], b [...], which broadcast to [batch...]
template <FloatingScalar Scalar>
struct Beta {
  Tensor<Scalar> a;
  Tensor<Scalar> b;

  /// Throws: UsageError if a parameter is not above 0 or the shapes do not broadcast.
  Beta(const Tensor<Scalar>& given_a, const Tensor<Scalar>& given_b,
       std::source_location where = std::source_location::current())
      : a(given_a), b(given_b) {
    detail::require_above_zero("Beta", "a", without_derivative(given_a), where);
    detail::require_above_zero("Beta", "b", without_derivative(given_b), where);
    detail::require_fitting("Beta", given_a, given_b, where);
  }

  /// Samples; the gradient flows to the parameters, as in random_beta.
  ///
  /// Returns: [shape..., batch...]
  [[nodiscard]] Tensor<Scalar> sample(RandomKey key, const Shape& shape = {}) const {
    const Shape drawn = detail::shape_of_sample(shape, a, b);
    return random_beta(key, broadcast_to(a, drawn), broadcast_to(b, drawn));
  }

  /// (a - 1) log(x) + (b - 1) log(1 - x) - log(B(a, b)), of x between 0 and 1.
  ///
  /// Shapes:  x [...], broadcast with the batch
  [[nodiscard]] Tensor<Scalar> log_probability(const Tensor<Scalar>& x) const {
    return (a - Scalar{1}) * log(x) + (b - Scalar{1}) * log1p(-x) - detail::log_beta(a, b);
  }

  [[nodiscard]] Tensor<Scalar> mean() const { return a / (a + b); }
  [[nodiscard]] Tensor<Scalar> variance() const {
    const auto total = a + b;
    return a * b / (square(total) * (total + Scalar{1}));
  }

  /// log(B(a, b)) - (a - 1) digamma(a) - (b - 1) digamma(b) + (a + b - 2) digamma(a + b).
  [[nodiscard]] Tensor<Scalar> entropy() const {
    const auto total = a + b;
    return detail::log_beta(a, b) - (a - Scalar{1}) * digamma(a) - (b - Scalar{1}) * digamma(b) +
           (total - Scalar{2}) * digamma(total);
  }

  DDX_DIFFERENTIABLE(Beta, a, b)
};

/// The Kullback-Leibler divergence of two beta distributions.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> kl_divergence(const Beta<Scalar>& p, const Beta<Scalar>& q) {
  return detail::log_beta(q.a, q.b) - detail::log_beta(p.a, p.b) + (p.a - q.a) * digamma(p.a) +
         (p.b - q.b) * digamma(p.b) + (q.a - p.a + q.b - p.b) * digamma(p.a + p.b);
}

}  // namespace ddx::distributions
