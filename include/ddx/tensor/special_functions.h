/// \file
/// The error function and the derivatives of the logarithm of the gamma function.

#pragma once

#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <numbers>
#include <source_location>

namespace ddx {

/// The error function: 2 / sqrt(pi) times the integral of e^-t^2 from 0 to x.
///
/// Shapes:   x [...] -> [...]
/// Gradient: 2 / sqrt(pi) e^-x^2 dy.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> erf(const Tensor<Scalar>& x) {
  return Tensor<Scalar>(detail::unary(ops::Op::erf, x.array()));
}

// Primal:  y = erf x
// Adjoint: adj[x] += 2 / sqrt(pi) e^-x^2 adj[y]
// Saves:   x
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(erf)
auto erf_vjp(const Tensor<Scalar>& x) {
  return detail::elementwise_vjp(erf(x), [x](const Tensor<Scalar>& dy) {
    return detail::cotangent_product(dy, exp(-square(x))) *
           (Scalar{2} * static_cast<Scalar>(std::numbers::inv_sqrtpi));
  });
}

/// 1 - erf(x), accurate for large x.
///
/// Shapes:   x [...] -> [...]
/// Gradient: -2 / sqrt(pi) e^-x^2 dy.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> erfc(const Tensor<Scalar>& x) {
  return Tensor<Scalar>(detail::unary(ops::Op::erfc, x.array()));
}

// Primal:  y = erfc x
// Adjoint: adj[x] -= 2 / sqrt(pi) e^-x^2 adj[y]
// Saves:   x
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(erfc)
auto erfc_vjp(const Tensor<Scalar>& x) {
  return detail::elementwise_vjp(erfc(x), [x](const Tensor<Scalar>& dy) {
    return detail::cotangent_product(dy, exp(-square(x))) *
           (Scalar{-2} * static_cast<Scalar>(std::numbers::inv_sqrtpi));
  });
}

/// The derivative of digamma of some order: 0 is digamma itself, 1 trigamma. At 0 and the negative
/// integers infinite for odd orders, else NaN.
///
/// Shapes:   x [...] -> [...]
/// Throws:   UsageError where the order is not in [0, 100].
/// Gradient: polygamma(order + 1, x) dy.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> polygamma(
    std::int64_t order, const Tensor<Scalar>& x,
    std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::polygamma(order, x.array(), where));
}

// Primal:  y = polygamma(n, x)
// Adjoint: adj[x] += polygamma(n + 1, x) adj[y]
// Saves:   x
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(polygamma)
auto polygamma_vjp(std::int64_t order, const Tensor<Scalar>& x, std::source_location where) {
  return detail::tensor_vjp(polygamma(order, x, where), [order, x](const Tensor<Scalar>& dy) {
    return detail::cotangent_product(dy, polygamma(order + 1, x));
  });
}

/// The derivative of lgamma; NaN at the negative integers.
///
/// Shapes:   x [...] -> [...]
/// Gradient: polygamma(1, x) dy.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> digamma(const Tensor<Scalar>& x) {
  return Tensor<Scalar>(detail::unary(ops::Op::digamma, x.array()));
}

// Primal:  y = digamma x
// Adjoint: adj[x] += polygamma(1, x) adj[y]
// Saves:   x
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(digamma)
auto digamma_vjp(const Tensor<Scalar>& x) {
  return detail::elementwise_vjp(digamma(x), [x](const Tensor<Scalar>& dy) {
    return detail::cotangent_product(dy, polygamma(1, x));
  });
}

/// log |gamma(x)|; infinite at 0 and at the negative integers.
///
/// Shapes:   x [...] -> [...]
/// Gradient: digamma(x) dy.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> lgamma(const Tensor<Scalar>& x) {
  return Tensor<Scalar>(detail::unary(ops::Op::lgamma, x.array()));
}

// Primal:  y = log |gamma(x)|
// Adjoint: adj[x] += digamma(x) adj[y]
// Saves:   x
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(lgamma)
auto lgamma_vjp(const Tensor<Scalar>& x) {
  return detail::elementwise_vjp(lgamma(x), [x](const Tensor<Scalar>& dy) {
    return detail::cotangent_product(dy, digamma(x));
  });
}

}  // namespace ddx
