/// \file
/// Exponentials and logarithms to the bases 2 and 10, and log(1 - e^x).

#pragma once

#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/tensor.h"

#include <limits>
#include <numbers>

namespace ddx {

/// 2^x.
///
/// Shapes:   x [...] -> [...]
/// Gradient: y log(2) dy.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> exp2(const Tensor<Scalar>& x) {
  return Tensor<Scalar>(detail::unary(ops::Op::exp2, x.array()));
}

// Primal:  y = 2^x
// Adjoint: adj[x] += y log(2) adj[y]
// Saves:   y
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(exp2)
auto exp2_vjp(const Tensor<Scalar>& x) {
  auto y = exp2(x);
  return detail::elementwise_vjp(y, [y](const Tensor<Scalar>& dy) {
    return detail::cotangent_product(dy, y) * static_cast<Scalar>(std::numbers::ln2);
  });
}

/// The logarithm to the base 2.
///
/// Shapes:   x [...] -> [...]
/// Gradient: dy / (x log(2)).
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> log2(const Tensor<Scalar>& x) {
  return Tensor<Scalar>(detail::unary(ops::Op::log2, x.array()));
}

// Primal:  y = log2 x
// Adjoint: adj[x] += adj[y] / (x log(2))
// Saves:   x
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(log2)
auto log2_vjp(const Tensor<Scalar>& x) {
  return detail::elementwise_vjp(log2(x), [x](const Tensor<Scalar>& dy) {
    return detail::cotangent_quotient(dy, x * static_cast<Scalar>(std::numbers::ln2));
  });
}

/// The logarithm to the base 10.
///
/// Shapes:   x [...] -> [...]
/// Gradient: dy / (x log(10)).
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> log10(const Tensor<Scalar>& x) {
  return Tensor<Scalar>(detail::unary(ops::Op::log10, x.array()));
}

// Primal:  y = log10 x
// Adjoint: adj[x] += adj[y] / (x log(10))
// Saves:   x
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(log10)
auto log10_vjp(const Tensor<Scalar>& x) {
  return detail::elementwise_vjp(log10(x), [x](const Tensor<Scalar>& dy) {
    return detail::cotangent_quotient(dy, x * static_cast<Scalar>(std::numbers::ln10));
  });
}

/// 10^x.
///
/// Shapes:   x [...] -> [...]
/// Gradient: y log(10) dy.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> exp10(const Tensor<Scalar>& x) {
  return pow(detail::beside<Scalar>(Scalar{10}, x.device()), x);
}

/// log(1 - e^x) for x <= 0, accurate near 0 and for large -x.
///
/// Shapes:   x [...] -> [...]
/// Returns:  minus infinity at 0, NaN above.
/// Gradient: -dy / (e^-x - 1).
/// Source:   M. Maechler, "Accurately computing log(1 - exp(-|a|))", 2012, equation 7.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> log1mexp(const Tensor<Scalar>& x) {
  // Up to -log 2 the exponential is small beside 1, from there on its distance to 1 is.
  return select(less(x, -static_cast<Scalar>(std::numbers::ln2)), log1p(-exp(x)), log(-expm1(x)));
}

// Primal:  y = log(1 - e^x)
// Adjoint: adj[x] -= adj[y] / (e^-x - 1)
// Saves:   x
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(log1mexp)
auto log1mexp_vjp(const Tensor<Scalar>& x) {
  return detail::elementwise_vjp(log1mexp(x), [x](const Tensor<Scalar>& dy) {
    return -detail::cotangent_quotient(dy, expm1(-x));
  });
}

namespace detail {

/// e^(a - b) where a <= b; 0 where `a` is minus infinity, whatever `b` is.
template <FloatingScalar Scalar>
Tensor<Scalar> exp_of_difference(const Tensor<Scalar>& a, const Tensor<Scalar>& b) {
  const auto nothing = equal(a, -std::numeric_limits<Scalar>::infinity());
  return select(nothing, Tensor<Scalar>(), exp(a - b));
}

}  // namespace detail

}  // namespace ddx
