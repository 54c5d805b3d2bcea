/// \file
/// The uniform distribution.

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
#include "ddx/tensor/random.h"
#include "ddx/tensor/tensor.h"

#include <limits>
#include <source_location>

namespace ddx::distributions {

/// Uniform distributions on [low, high), one for each element.
///
/// Shapes:  low [...], high [...], which broadcast to [batch...]
template <FloatingScalar Scalar>
struct Uniform {
  Tensor<Scalar> low;
  Tensor<Scalar> high;

  /// Throws: UsageError if the bounds do not ascend or the shapes do not broadcast.
  Uniform(const Tensor<Scalar>& given_low, const Tensor<Scalar>& given_high,
          std::source_location where = std::source_location::current())
      : low(given_low), high(given_high) {
    detail::require_fitting("Uniform", given_low, given_high, where);
    const Tensor<Scalar> width = without_derivative(given_high) - without_derivative(given_low);
    detail::require_above_zero("Uniform", "high - low", width, where);
  }

  /// Samples; the gradient flows to the bounds.
  ///
  /// Returns: [shape..., batch...]
  [[nodiscard]] Tensor<Scalar> sample(RandomKey key, const Shape& shape = {}) const {
    const Shape drawn = detail::shape_of_sample(shape, low, high);
    return low + (high - low) * random_uniform<Scalar>(key, drawn, {}, low.device());
  }

  /// -log(high - low); -infinity outside of the bounds.
  ///
  /// Shapes:  x [...], broadcast with the batch
  [[nodiscard]] Tensor<Scalar> log_probability(const Tensor<Scalar>& x) const {
    const auto inside = logical_and(greater_equal(x, low), less(x, high));
    const auto outside = full<Scalar>({}, -std::numeric_limits<Scalar>::infinity(), low.device());
    return select(inside, -log(high - low), outside);
  }

  [[nodiscard]] Tensor<Scalar> mean() const { return (low + high) * Scalar{0.5}; }
  [[nodiscard]] Tensor<Scalar> variance() const { return square(high - low) / Scalar{12}; }

  /// log(high - low).
  [[nodiscard]] Tensor<Scalar> entropy() const { return log(high - low); }

  DDX_DIFFERENTIABLE(Uniform, low, high)
};

/// The logarithm of the ratio of the widths; infinity where q has not all of p.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> kl_divergence(const Uniform<Scalar>& p, const Uniform<Scalar>& q) {
  const auto within = logical_and(greater_equal(p.low, q.low), less_equal(p.high, q.high));
  const auto apart = full<Scalar>({}, std::numeric_limits<Scalar>::infinity(), p.low.device());
  return select(within, log((q.high - q.low) / (p.high - p.low)), apart);
}

}  // namespace ddx::distributions
