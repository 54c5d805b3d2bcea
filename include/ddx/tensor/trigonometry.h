/// \file
/// Circular and hyperbolic functions and their inverses. `sin`, `cos` and `tanh` are in
/// elementwise.h.

#pragma once

#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/tensor.h"

#include <source_location>
#include <tuple>

namespace ddx {

/// The tangent.
///
/// Shapes:   x [...] -> [...]
/// Gradient: (1 + y^2) dy.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> tan(const Tensor<Scalar>& x) {
  return Tensor<Scalar>(detail::unary(ops::Op::tan, x.array()));
}

// Primal:  y = tan x
// Adjoint: adj[x] += (1 + y^2) adj[y]
// Saves:   y
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(tan)
auto tan_vjp(const Tensor<Scalar>& x) {
  auto y = tan(x);
  return detail::elementwise_vjp(y, [y](const Tensor<Scalar>& dy) {
    return detail::cotangent_product(dy, square(y) + Scalar{1});
  });
}

/// The angle in [-pi/2, pi/2] whose sine is x; NaN outside [-1, 1].
///
/// Shapes:   x [...] -> [...]
/// Gradient: dy / sqrt(1 - x^2).
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> asin(const Tensor<Scalar>& x) {
  return Tensor<Scalar>(detail::unary(ops::Op::asin, x.array()));
}

// Primal:  y = asin x
// Adjoint: adj[x] += adj[y] / sqrt(1 - x^2)
// Saves:   x
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(asin)
auto asin_vjp(const Tensor<Scalar>& x) {
  return detail::elementwise_vjp(asin(x), [x](const Tensor<Scalar>& dy) {
    return detail::cotangent_product(dy, rsqrt((Scalar{1} - x) * (Scalar{1} + x)));
  });
}

/// The angle in [0, pi] whose cosine is x; NaN outside [-1, 1].
///
/// Shapes:   x [...] -> [...]
/// Gradient: -dy / sqrt(1 - x^2).
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> acos(const Tensor<Scalar>& x) {
  return Tensor<Scalar>(detail::unary(ops::Op::acos, x.array()));
}

// Primal:  y = acos x
// Adjoint: adj[x] -= adj[y] / sqrt(1 - x^2)
// Saves:   x
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(acos)
auto acos_vjp(const Tensor<Scalar>& x) {
  return detail::elementwise_vjp(acos(x), [x](const Tensor<Scalar>& dy) {
    return -detail::cotangent_product(dy, rsqrt((Scalar{1} - x) * (Scalar{1} + x)));
  });
}

/// The angle in (-pi/2, pi/2) whose tangent is x.
///
/// Shapes:   x [...] -> [...]
/// Gradient: dy / (1 + x^2).
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> atan(const Tensor<Scalar>& x) {
  return Tensor<Scalar>(detail::unary(ops::Op::atan, x.array()));
}

// Primal:  y = atan x
// Adjoint: adj[x] += adj[y] / (1 + x^2)
// Saves:   x
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(atan)
auto atan_vjp(const Tensor<Scalar>& x) {
  return detail::elementwise_vjp(atan(x), [x](const Tensor<Scalar>& dy) {
    return detail::cotangent_quotient(dy, square(x) + Scalar{1});
  });
}

/// The angle in [-pi, pi] from the positive axis of x to the point (x, y), element by element.
///
/// Shapes:   y [...], x [...], broadcast together
/// Throws:   UsageError where they do not broadcast, or lie on different devices.
/// Gradient: with r^2 = x^2 + y^2, x / r^2 of the cotangent to y and -y / r^2 to x, 0 at the
///           origin, summed over what was repeated.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> atan2(const Tensor<Scalar>& y, const Tensor<Scalar>& x,
                                   std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::binary(ops::Op::atan2, y.array(), x.array(), where));
}

// Primal:  t = atan2(y, x)
// Adjoint: adj[y] += x / (x^2 + y^2) adj[t], adj[x] -= y / (x^2 + y^2) adj[t]
// Saves:   x, y
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(atan2)
auto atan2_vjp(const Tensor<Scalar>& y, const Tensor<Scalar>& x, std::source_location where) {
  return detail::tensor_vjp(atan2(y, x, where), [y, x](const Tensor<Scalar>& dt, Wanted<2> wanted) {
    // Divided by the larger one, so that squares neither overflow nor vanish; at the origin
    // by 1.
    const auto larger = maximum(abs(y), abs(x));
    const auto scale = select(equal(larger, Scalar{0}), Scalar{1}, larger);
    const auto u = y / scale;
    const auto v = x / scale;
    const auto length = square(u) + square(v);
    const auto share =
        detail::cotangent_quotient(dt, select(equal(length, Scalar{0}), Scalar{1}, length) * scale);
    return std::tuple(
        wanted[0] ? sum_to(detail::cotangent_product(share, v), y.shape()) : Tensor<Scalar>(),
        wanted[1] ? -sum_to(detail::cotangent_product(share, u), x.shape()) : Tensor<Scalar>());
  });
}

/// The hyperbolic sine.
///
/// Shapes:   x [...] -> [...]
/// Gradient: cosh(x) dy.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> sinh(const Tensor<Scalar>& x) {
  return Tensor<Scalar>(detail::unary(ops::Op::sinh, x.array()));
}

// Primal:  y = sinh x
// Adjoint: adj[x] += cosh(x) adj[y]
// Saves:   x
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(sinh)
auto sinh_vjp(const Tensor<Scalar>& x) {
  return detail::elementwise_vjp(
      sinh(x), [x](const Tensor<Scalar>& dy) { return detail::cotangent_product(dy, cosh(x)); });
}

/// The hyperbolic cosine.
///
/// Shapes:   x [...] -> [...]
/// Gradient: sinh(x) dy.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> cosh(const Tensor<Scalar>& x) {
  return Tensor<Scalar>(detail::unary(ops::Op::cosh, x.array()));
}

// Primal:  y = cosh x
// Adjoint: adj[x] += sinh(x) adj[y]
// Saves:   x
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(cosh)
auto cosh_vjp(const Tensor<Scalar>& x) {
  return detail::elementwise_vjp(
      cosh(x), [x](const Tensor<Scalar>& dy) { return detail::cotangent_product(dy, sinh(x)); });
}

/// The number whose hyperbolic sine is x.
///
/// Shapes:   x [...] -> [...]
/// Gradient: dy / sqrt(x^2 + 1).
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> asinh(const Tensor<Scalar>& x) {
  return Tensor<Scalar>(detail::unary(ops::Op::asinh, x.array()));
}

// Primal:  y = asinh x
// Adjoint: adj[x] += adj[y] / cosh(y), which is sqrt(x^2 + 1) without a square that overflows
// Saves:   y
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(asinh)
auto asinh_vjp(const Tensor<Scalar>& x) {
  auto y = asinh(x);
  return detail::elementwise_vjp(
      y, [y](const Tensor<Scalar>& dy) { return detail::cotangent_quotient(dy, cosh(y)); });
}

/// The number in [0, infinity) whose hyperbolic cosine is x; NaN below 1.
///
/// Shapes:   x [...] -> [...]
/// Gradient: dy / sqrt(x^2 - 1).
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> acosh(const Tensor<Scalar>& x) {
  return Tensor<Scalar>(detail::unary(ops::Op::acosh, x.array()));
}

// Primal:  y = acosh x
// Adjoint: adj[x] += adj[y] / sinh(y), which is sqrt(x^2 - 1) without a square that overflows
// Saves:   y
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(acosh)
auto acosh_vjp(const Tensor<Scalar>& x) {
  auto y = acosh(x);
  return detail::elementwise_vjp(
      y, [y](const Tensor<Scalar>& dy) { return detail::cotangent_quotient(dy, sinh(y)); });
}

/// The number whose hyperbolic tangent is x; NaN outside [-1, 1].
///
/// Shapes:   x [...] -> [...]
/// Gradient: dy / (1 - x^2).
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> atanh(const Tensor<Scalar>& x) {
  return Tensor<Scalar>(detail::unary(ops::Op::atanh, x.array()));
}

// Primal:  y = atanh x
// Adjoint: adj[x] += adj[y] / (1 - x^2)
// Saves:   x
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(atanh)
auto atanh_vjp(const Tensor<Scalar>& x) {
  return detail::elementwise_vjp(atanh(x), [x](const Tensor<Scalar>& dy) {
    return detail::cotangent_quotient(dy, (Scalar{1} - x) * (Scalar{1} + x));
  });
}

}  // namespace ddx
