/// \file
/// The exponential distribution.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/ad/without_derivative.h"
#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/distributions/detail/parameters.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/exponential.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/tensor.h"

#include <limits>
#include <source_location>

namespace ddx::distributions {

/// Exponential distributions, one for each element: densities rate e^(-rate x) from 0 on.
template <FloatingScalar Scalar>
struct Exponential {
  Tensor<Scalar> rate;

  /// Throws: UsageError if a rate is not above 0.
  explicit Exponential(const Tensor<Scalar>& given_rate,
                       std::source_location where = std::source_location::current())
      : rate(given_rate) {
    detail::require_above_zero("Exponential", "rate", without_derivative(given_rate), where);
  }

  /// Samples; the gradient flows to the rate.
  ///
  /// Returns: [shape..., batch...]
  [[nodiscard]] Tensor<Scalar> sample(RandomKey key, const Shape& shape = {}) const {
    const Shape drawn = detail::shape_of_sample(shape, rate, rate);
    return -log1p(-random_uniform<Scalar>(key, drawn, {}, rate.device())) / rate;
  }

  /// log(rate) - rate x; -infinity below 0.
  ///
  /// Shapes:  x [...], broadcast with the batch
  [[nodiscard]] Tensor<Scalar> log_probability(const Tensor<Scalar>& x) const {
    const auto outside = full<Scalar>({}, -std::numeric_limits<Scalar>::infinity(), rate.device());
    return select(greater_equal(x, Scalar{0}), log(rate) - rate * x, outside);
  }

  [[nodiscard]] Tensor<Scalar> mean() const { return reciprocal(rate); }
  [[nodiscard]] Tensor<Scalar> variance() const { return reciprocal(square(rate)); }

  /// 1 - log(rate).
  [[nodiscard]] Tensor<Scalar> entropy() const { return Scalar{1} - log(rate); }

  DDX_DIFFERENTIABLE(Exponential, rate)
};

/// log(r_p / r_q) + r_q / r_p - 1.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> kl_divergence(const Exponential<Scalar>& p,
                                           const Exponential<Scalar>& q) {
  const auto ratio = q.rate / p.rate;
  return ratio - log(ratio) - Scalar{1};
}

}  // namespace ddx::distributions
