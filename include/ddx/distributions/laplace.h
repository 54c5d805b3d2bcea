/// \file
/// The Laplace distribution.

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
#include "ddx/tensor/random.h"
#include "ddx/tensor/tensor.h"

#include <numbers>
#include <source_location>

namespace ddx::distributions {

/// Laplace distributions, one for each element: densities e^(-|x - location| / scale) / (2 scale).
///
/// Shapes:  location [...], scale [...], which broadcast to [batch...]
template <FloatingScalar Scalar>
struct Laplace {
  Tensor<Scalar> location;
  Tensor<Scalar> scale;

  /// Throws: UsageError if a scale is not above 0 or the shapes do not broadcast.
  Laplace(const Tensor<Scalar>& given_location, const Tensor<Scalar>& given_scale,
          std::source_location where = std::source_location::current())
      : location(given_location), scale(given_scale) {
    detail::require_above_zero("Laplace", "scale", without_derivative(given_scale), where);
    detail::require_fitting("Laplace", given_location, given_scale, where);
  }

  /// Samples: differences of two exponential variables; the gradient flows to the parameters.
  ///
  /// Returns: [shape..., batch...]
  [[nodiscard]] Tensor<Scalar> sample(RandomKey key, const Shape& shape = {}) const {
    const Shape drawn = detail::shape_of_sample(shape, location, scale);
    const auto above = random_uniform<Scalar>(key.fold_in(0), drawn, {}, location.device());
    const auto below = random_uniform<Scalar>(key.fold_in(1), drawn, {}, location.device());
    return location + scale * (log1p(-below) - log1p(-above));
  }

  /// -|x - location| / scale - log(2 scale).
  ///
  /// Shapes:  x [...], broadcast with the batch
  [[nodiscard]] Tensor<Scalar> log_probability(const Tensor<Scalar>& x) const {
    return -abs(x - location) / scale - log(scale) - std::numbers::ln2_v<Scalar>;
  }

  [[nodiscard]] Tensor<Scalar> mean() const { return detail::in_batch(location, scale); }
  [[nodiscard]] Tensor<Scalar> variance() const {
    return detail::in_batch(square(scale) * Scalar{2}, location);
  }

  /// 1 + log(2 scale).
  [[nodiscard]] Tensor<Scalar> entropy() const {
    return detail::in_batch(log(scale), location) + (Scalar{1} + std::numbers::ln2_v<Scalar>);
  }

  DDX_DIFFERENTIABLE(Laplace, location, scale)
};

/// log(s_q / s_p) + (s_p e^(-d / s_p) + d) / s_q - 1 with the distance d of the locations.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> kl_divergence(const Laplace<Scalar>& p, const Laplace<Scalar>& q) {
  const auto distance = abs(p.location - q.location);
  return log(q.scale / p.scale) + (p.scale * exp(-distance / p.scale) + distance) / q.scale -
         Scalar{1};
}

}  // namespace ddx::distributions
