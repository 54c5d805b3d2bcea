/// \file
/// The arithmetic of optimisers with numbers that depend on elements of tensors.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/nn/detail/parameter_arithmetic.h"
#include "ddx/nn/runtime_number.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/norm.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include <cmath>
#include <concepts>
#include <limits>
#include <utility>

namespace ddx::nn::detail {

/// scale a. A symbolic zero stays one.
template <FloatingScalar Scalar>
Tensor<Scalar> scaled(const Tensor<Scalar>& a, const RuntimeNumber& scale) {
  if (scale.is_known()) {
    return scaled(a, scale.value());
  }
  return a.is_symbolic_zero() || is_empty(a) ? a : a * scale.computed<Scalar>();
}
template <std::floating_point Number>
Number scaled(Number a, const RuntimeNumber& scale) {
  return scaled(a, scale.value());
}

/// a + scale b. A symbolic zero stays one, or leaves the other as it is.
template <FloatingScalar Scalar>
Tensor<Scalar> plus_scaled(Tensor<Scalar> a, const RuntimeNumber& scale, const Tensor<Scalar>& b) {
  if (scale.is_known()) {
    return plus_scaled(std::move(a), scale.value(), b);
  }
  if (b.is_symbolic_zero() || (is_empty(a) && a.shape() == b.shape())) {
    return a;
  }
  const Tensor<Scalar> change = scaled(b, scale);
  return a.is_symbolic_zero() ? change : a + change;
}
template <std::floating_point Number>
Number plus_scaled(Number a, const RuntimeNumber& scale, Number b) {
  return plus_scaled(a, scale.value(), b);
}

/// keep a + (1 - keep) b: how a moving average a follows b.
template <class Parameter>
Parameter moved_average(const Parameter& a, const RuntimeNumber& keep, const Parameter& b) {
  return plus_scaled(scaled(a, keep), 1 - keep, b);
}

/// a / (sqrt(b) + epsilon), element by element.
template <FloatingScalar Scalar>
Tensor<Scalar> over_root(const Tensor<Scalar>& a, const Tensor<Scalar>& b,
                         const RuntimeNumber& epsilon) {
  return epsilon.is_known() ? over_root(a, b, epsilon.value())
                            : a / (sqrt(b) + epsilon.computed<Scalar>());
}
template <std::floating_point Number>
Number over_root(Number a, Number b, const RuntimeNumber& epsilon) {
  return over_root(a, b, epsilon.value());
}

/// `positive(a)` where the condition is above zero, else `other(a)`: two functions of a parameter,
/// which are both called where the condition is not known.
template <FloatingScalar Scalar, class Positive, class Other>
Tensor<Scalar> choose_positive(const RuntimeNumber& condition, Tensor<Scalar> a,
                               const Positive& positive, const Other& other) {
  if (condition.is_known()) {
    return condition.value() > 0 ? positive(std::move(a)) : other(std::move(a));
  }
  return select(greater(condition.computed<double>(), 0.0), positive(a), other(a));
}
template <std::floating_point Number, class Positive, class Other>
Number choose_positive(const RuntimeNumber& condition, Number a, const Positive& positive,
                       const Other& other) {
  return condition.value() > 0 ? positive(a) : other(a);
}

/// The Euclidean norm of all elements; NaN or infinite where an element is.
template <FloatingScalar Scalar>
RuntimeNumber norm(const Tensor<Scalar>& a) {
  if (a.count() == 0) {
    return 0;
  }
  if constexpr (NarrowScalar<Scalar>) {
    return detail::norm(cast<WideScalar<Scalar>>(a));
  }
  using Limits = std::numeric_limits<Scalar>;
  const auto least = static_cast<double>(Limits::min()) / static_cast<double>(Limits::epsilon());
  if (!a.device().is_lazy()) {
    const auto squares = static_cast<double>(sum(square(a)).item());
    if (std::isfinite(squares) && squares >= least) {
      return std::sqrt(squares);
    }
  }
  // The squares may have left the range of the type: relative to the largest element.
  const Tensor<Scalar> largest = max(abs(a));
  const Tensor<Scalar> unit = select(greater(largest, Scalar{0}), largest, Scalar{1});
  return RuntimeNumber(unit) * sqrt(RuntimeNumber(sum(square(a / unit))));
}
template <std::floating_point Number>
RuntimeNumber norm(Number a) {
  return std::fabs(static_cast<double>(a));
}

}  // namespace ddx::nn::detail
