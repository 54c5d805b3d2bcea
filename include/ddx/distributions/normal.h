/// \file
/// The normal distribution.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/ad/without_derivative.h"
#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/distributions/detail/parameters.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/tensor.h"

#include <source_location>

namespace ddx::distributions {

/// Normal distributions, one for each element.
///
/// Shapes:  location [...], scale [...], which broadcast to [batch...]
template <FloatingScalar Scalar>
struct Normal {
  Tensor<Scalar> location;
  Tensor<Scalar> scale;

  /// Throws: UsageError if a scale is not above 0 or the shapes do not broadcast.
  Normal(const Tensor<Scalar>& given_location, const Tensor<Scalar>& given_scale,
         std::source_location where = std::source_location::current())
      : location(given_location), scale(given_scale) {
    detail::require_above_zero("Normal", "scale", without_derivative(given_scale), where);
    detail::require_fitting("Normal", given_location, given_scale, where);
  }

  /// Samples; the gradient flows to the parameters.
  ///
  /// Returns: [shape..., batch...]
  [[nodiscard]] Tensor<Scalar> sample(RandomKey key, const Shape& shape = {}) const {
    const Shape drawn = detail::shape_of_sample(shape, location, scale);
    return location + scale * random_normal<Scalar>(key, drawn, {}, location.device());
  }

  /// -(x - location)^2 / (2 scale^2) - log(scale) - log(2 pi) / 2.
  ///
  /// Shapes:  x [...], broadcast with the batch
  [[nodiscard]] Tensor<Scalar> log_probability(const Tensor<Scalar>& x) const {
    constexpr auto half_log_two_pi = static_cast<Scalar>(0.918938533204672741780);
    return square((x - location) / scale) * Scalar{-0.5} - log(scale) - half_log_two_pi;
  }

  [[nodiscard]] Tensor<Scalar> mean() const { return detail::in_batch(location, scale); }
  [[nodiscard]] Tensor<Scalar> variance() const {
    return detail::in_batch(square(scale), location);
  }

  /// log(scale) + (1 + log(2 pi)) / 2.
  [[nodiscard]] Tensor<Scalar> entropy() const {
    constexpr auto of_unit_scale = static_cast<Scalar>(1.418938533204672741780);
    return detail::in_batch(log(scale), location) + of_unit_scale;
  }

  DDX_DIFFERENTIABLE(Normal, location, scale)
};

/// log(s_q / s_p) + (s_p^2 + (m_p - m_q)^2) / (2 s_q^2) - 1/2.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> kl_divergence(const Normal<Scalar>& p, const Normal<Scalar>& q) {
  const auto ratio = square(p.scale / q.scale);
  const auto distance = square((p.location - q.location) / q.scale);
  return (ratio + distance - Scalar{1} - log(ratio)) * Scalar{0.5};
}

}  // namespace ddx::distributions
