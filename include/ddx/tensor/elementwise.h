/// \file
/// Functions applied to each element.

#pragma once

#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/tensor.h"

#include <tuple>

namespace ddx {

/// -1, 0 or 1.
///
/// Shapes:   x [...] -> [...]
/// Gradient: 0.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> sign(const Tensor<Scalar>& x) {
  return Tensor<Scalar>(detail::unary(ops::Op::sign, x.array()));
}

// Primal:  y = sign(x)
// Adjoint: nothing: the derivative is 0 almost everywhere
// Saves:   nothing
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(sign)
auto sign_vjp(const Tensor<Scalar>& x) {
  return detail::elementwise_vjp(sign(x), [](const Tensor<Scalar>&) { return Tensor<Scalar>(); });
}

/// The absolute value. (That of complex numbers: ddx/tensor/polar.h.)
///
/// Shapes:   x [...] -> [...]
/// Gradient: dy sign(x), which is 0 at 0.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> abs(const Tensor<Scalar>& x)
  requires(!ComplexScalar<Scalar>)
{
  return Tensor<Scalar>(detail::unary(ops::Op::abs, x.array()));
}

// Primal:  y = |x|
// Adjoint: adj[x] += sign(x) adj[y], where sign(0) = 0
// Saves:   x
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(abs)
auto abs_vjp(const Tensor<Scalar>& x)
  requires(!ComplexScalar<Scalar>)
{
  return detail::tensor_vjp(
      abs(x), [x](const Tensor<Scalar>& dy) { return detail::cotangent_product(dy, sign(x)); });
}

/// x x.
///
/// Shapes:   x [...] -> [...]
/// Gradient: 2 x dy.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> square(const Tensor<Scalar>& x) {
  return Tensor<Scalar>(detail::unary(ops::Op::square, x.array()));
}

// Primal:  y = x^2
// Adjoint: adj[x] += 2 x adj[y]
// Saves:   x
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(square)
auto square_vjp(const Tensor<Scalar>& x) {
  return detail::elementwise_vjp(square(x), [x](const Tensor<Scalar>& dy) {
    return detail::cotangent_product(dy, detail::conjugated(x)) * Scalar{2};
  });
}

/// max(x, 0).
///
/// Shapes:   x [...] -> [...]
/// Gradient: dy where x > 0, else 0.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> relu(const Tensor<Scalar>& x) {
  return Tensor<Scalar>(detail::unary(ops::Op::relu, x.array()));
}

namespace detail {

/// dy where y > 0, else 0.
template <TensorScalar Scalar>
Tensor<Scalar> relu_slope(const Tensor<Scalar>& dy, const Tensor<Scalar>& y) {
  return Tensor<Scalar>(binary(ops::Op::relu_gradient, dy.array(), y.array(), {}));
}

// Primal:  z = dy where y > 0
// Adjoint: adj[dy] += adj[z] where y > 0
// Saves:   y
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(relu_slope)
auto relu_slope_vjp(const Tensor<Scalar>& dy, const Tensor<Scalar>& y) {
  return tensor_vjp(relu_slope(dy, y), [y](const Tensor<Scalar>& dz) {
    return std::tuple(relu_slope(dz, y), Tensor<Scalar>());
  });
}

}  // namespace detail

// Primal:  y = max(x, 0)
// Adjoint: adj[x] += adj[y] where y > 0
// Saves:   y
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(relu)
auto relu_vjp(const Tensor<Scalar>& x) {
  auto y = relu(x);
  return detail::elementwise_vjp(
      y, [y](const Tensor<Scalar>& dy) { return detail::relu_slope(dy, y); });
}

// Tangent: the same factors, element by element
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(relu)
auto relu_jvp(const Tensor<Scalar>& x, const Tensor<Scalar>& dx) {
  auto y = relu(x);
  return detail::tensor_jvp(y, dx,
                            [&y](const Tensor<Scalar>& d) { return detail::relu_slope(d, y); });
}

/// 1 / x.
///
/// Shapes:   x [...] -> [...]
/// Gradient: -y^2 dy.
template <DifferentiableScalar Scalar>
[[nodiscard]] Tensor<Scalar> reciprocal(const Tensor<Scalar>& x) {
  return Tensor<Scalar>(detail::unary(ops::Op::reciprocal, x.array()));
}

// Primal:  y = 1 / x
// Adjoint: adj[x] -= y^2 adj[y]
// Saves:   y
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(reciprocal)
auto reciprocal_vjp(const Tensor<Scalar>& x) {
  auto y = reciprocal(x);
  return detail::elementwise_vjp(y, [y](const Tensor<Scalar>& dy) {
    return -detail::cotangent_product(dy, detail::conjugated(y * y));
  });
}

/// e^x.
///
/// Shapes:   x [...] -> [...]
/// Gradient: y dy.
template <DifferentiableScalar Scalar>
[[nodiscard]] Tensor<Scalar> exp(const Tensor<Scalar>& x) {
  return Tensor<Scalar>(detail::unary(ops::Op::exp, x.array()));
}

// Primal:  y = e^x
// Adjoint: adj[x] += y adj[y]
// Saves:   y
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(exp)
auto exp_vjp(const Tensor<Scalar>& x) {
  auto y = exp(x);
  return detail::elementwise_vjp(y, [y](const Tensor<Scalar>& dy) {
    return detail::cotangent_product(dy, detail::conjugated(y));
  });
}

/// e^x - 1, accurate near 0.
///
/// Shapes:   x [...] -> [...]
/// Gradient: (y + 1) dy.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> expm1(const Tensor<Scalar>& x) {
  return Tensor<Scalar>(detail::unary(ops::Op::expm1, x.array()));
}

// Primal:  y = e^x - 1
// Adjoint: adj[x] += (y + 1) adj[y]
// Saves:   y
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(expm1)
auto expm1_vjp(const Tensor<Scalar>& x) {
  auto y = expm1(x);
  return detail::elementwise_vjp(
      y, [y](const Tensor<Scalar>& dy) { return detail::cotangent_product(dy, y + Scalar{1}); });
}

/// The natural logarithm.
///
/// Shapes:   x [...] -> [...]
/// Gradient: dy / x.
template <DifferentiableScalar Scalar>
[[nodiscard]] Tensor<Scalar> log(const Tensor<Scalar>& x) {
  return Tensor<Scalar>(detail::unary(ops::Op::log, x.array()));
}

// Primal:  y = log x
// Adjoint: adj[x] += adj[y] / x
// Saves:   x
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(log)
auto log_vjp(const Tensor<Scalar>& x) {
  return detail::elementwise_vjp(log(x), [x](const Tensor<Scalar>& dy) {
    return detail::cotangent_quotient(dy, detail::conjugated(x));
  });
}

/// log(1 + x), accurate near 0.
///
/// Shapes:   x [...] -> [...]
/// Gradient: dy / (1 + x).
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> log1p(const Tensor<Scalar>& x) {
  return Tensor<Scalar>(detail::unary(ops::Op::log1p, x.array()));
}

// Primal:  y = log(1 + x)
// Adjoint: adj[x] += adj[y] / (1 + x)
// Saves:   x
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(log1p)
auto log1p_vjp(const Tensor<Scalar>& x) {
  return detail::elementwise_vjp(log1p(x), [x](const Tensor<Scalar>& dy) {
    return detail::cotangent_quotient(dy, x + Scalar{1});
  });
}

/// The square root.
///
/// Shapes:   x [...] -> [...]
/// Gradient: dy / (2 y), infinite at 0.
template <DifferentiableScalar Scalar>
[[nodiscard]] Tensor<Scalar> sqrt(const Tensor<Scalar>& x) {
  return Tensor<Scalar>(detail::unary(ops::Op::sqrt, x.array()));
}

// Primal:  y = sqrt(x)
// Adjoint: adj[x] += adj[y] / (2 y)
// Saves:   y
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(sqrt)
auto sqrt_vjp(const Tensor<Scalar>& x) {
  auto y = sqrt(x);
  return detail::elementwise_vjp(y, [y](const Tensor<Scalar>& dy) {
    return detail::cotangent_quotient(dy * Scalar{0.5}, detail::conjugated(y));
  });
}

/// 1 / sqrt(x).
///
/// Shapes:   x [...] -> [...]
/// Gradient: -y^3 dy / 2.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> rsqrt(const Tensor<Scalar>& x) {
  return Tensor<Scalar>(detail::unary(ops::Op::rsqrt, x.array()));
}

// Primal:  y = x^(-1/2)
// Adjoint: adj[x] -= y^3 adj[y] / 2
// Saves:   y
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(rsqrt)
auto rsqrt_vjp(const Tensor<Scalar>& x) {
  auto y = rsqrt(x);
  return detail::elementwise_vjp(y, [y](const Tensor<Scalar>& dy) {
    // One factor after the other: the cube may overflow where the product does not.
    using detail::cotangent_product;
    return cotangent_product(cotangent_product(cotangent_product(dy, y), y), y) * Scalar{-0.5};
  });
}

/// The sine.
///
/// Shapes:   x [...] -> [...]
/// Gradient: cos(x) dy.
template <DifferentiableScalar Scalar>
[[nodiscard]] Tensor<Scalar> sin(const Tensor<Scalar>& x) {
  return Tensor<Scalar>(detail::unary(ops::Op::sin, x.array()));
}

// Primal:  y = sin x
// Adjoint: adj[x] += cos(x) adj[y]
// Saves:   x
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(sin)
auto sin_vjp(const Tensor<Scalar>& x) {
  return detail::elementwise_vjp(sin(x), [x](const Tensor<Scalar>& dy) {
    return detail::cotangent_product(dy, detail::conjugated(cos(x)));
  });
}

/// The cosine.
///
/// Shapes:   x [...] -> [...]
/// Gradient: -sin(x) dy.
template <DifferentiableScalar Scalar>
[[nodiscard]] Tensor<Scalar> cos(const Tensor<Scalar>& x) {
  return Tensor<Scalar>(detail::unary(ops::Op::cos, x.array()));
}

// Primal:  y = cos x
// Adjoint: adj[x] -= sin(x) adj[y]
// Saves:   x
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(cos)
auto cos_vjp(const Tensor<Scalar>& x) {
  return detail::elementwise_vjp(cos(x), [x](const Tensor<Scalar>& dy) {
    return -detail::cotangent_product(dy, detail::conjugated(sin(x)));
  });
}

/// The hyperbolic tangent.
///
/// Shapes:   x [...] -> [...]
/// Gradient: (1 - y^2) dy.
template <DifferentiableScalar Scalar>
[[nodiscard]] Tensor<Scalar> tanh(const Tensor<Scalar>& x) {
  return Tensor<Scalar>(detail::unary(ops::Op::tanh, x.array()));
}

namespace detail {

/// (1 - y^2) dy.
template <FloatingScalar Scalar>
Tensor<Scalar> tanh_slope(const Tensor<Scalar>& dy, const Tensor<Scalar>& y) {
  return Tensor<Scalar>(binary(ops::Op::tanh_gradient, dy.array(), y.array(), {}));
}

// Primal:  z = (1 - y^2) dy
// Adjoint: adj[dy] += (1 - y^2) adj[z], adj[y] -= 2 y dy adj[z]
// Saves:   dy, y
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(tanh_slope)
auto tanh_slope_vjp(const Tensor<Scalar>& dy, const Tensor<Scalar>& y) {
  return tensor_vjp(tanh_slope(dy, y), [dy, y](const Tensor<Scalar>& dz, Wanted<2> wanted) {
    return std::tuple(
        wanted[0] ? tanh_slope(dz, y) : Tensor<Scalar>(),
        wanted[1] ? cotangent_product(mutual_product(dz, dy), y) * Scalar{-2} : Tensor<Scalar>());
  });
}

}  // namespace detail

// Primal:  y = tanh x
// Adjoint: adj[x] += (1 - y^2) adj[y]
// Saves:   y
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(tanh)
auto tanh_vjp(const Tensor<Scalar>& x) {
  auto y = tanh(x);
  return detail::elementwise_vjp(y, [y](const Tensor<Scalar>& dy) {
    if constexpr (ComplexScalar<Scalar>) {
      return detail::cotangent_product(dy, Scalar{1} - conj(y * y));
    } else {
      return detail::tanh_slope(dy, y);
    }
  });
}

// Tangent: the same factors, element by element
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(tanh)
auto tanh_jvp(const Tensor<Scalar>& x, const Tensor<Scalar>& dx) {
  auto y = tanh(x);
  return detail::tensor_jvp(y, dx,
                            [&y](const Tensor<Scalar>& d) { return detail::tanh_slope(d, y); });
}

/// 1 / (1 + e^-x).
///
/// Shapes:   x [...] -> [...]
/// Gradient: y (1 - y) dy.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> sigmoid(const Tensor<Scalar>& x) {
  return Tensor<Scalar>(detail::unary(ops::Op::sigmoid, x.array()));
}

namespace detail {

/// y (1 - y) dy.
template <FloatingScalar Scalar>
Tensor<Scalar> sigmoid_slope(const Tensor<Scalar>& dy, const Tensor<Scalar>& y) {
  return Tensor<Scalar>(binary(ops::Op::sigmoid_gradient, dy.array(), y.array(), {}));
}

// Primal:  z = y (1 - y) dy
// Adjoint: adj[dy] += y (1 - y) adj[z], adj[y] += (1 - 2 y) dy adj[z]
// Saves:   dy, y
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(sigmoid_slope)
auto sigmoid_slope_vjp(const Tensor<Scalar>& dy, const Tensor<Scalar>& y) {
  return tensor_vjp(sigmoid_slope(dy, y), [dy, y](const Tensor<Scalar>& dz, Wanted<2> wanted) {
    return std::tuple(wanted[0] ? sigmoid_slope(dz, y) : Tensor<Scalar>(),
                      wanted[1]
                          ? cotangent_product(mutual_product(dz, dy), Scalar{1} - y * Scalar{2})
                          : Tensor<Scalar>());
  });
}

}  // namespace detail

// Primal:  y = 1 / (1 + e^-x)
// Adjoint: adj[x] += y (1 - y) adj[y]
// Saves:   y
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(sigmoid)
auto sigmoid_vjp(const Tensor<Scalar>& x) {
  auto y = sigmoid(x);
  return detail::elementwise_vjp(
      y, [y](const Tensor<Scalar>& dy) { return detail::sigmoid_slope(dy, y); });
}

// Tangent: the same factors, element by element
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(sigmoid)
auto sigmoid_jvp(const Tensor<Scalar>& x, const Tensor<Scalar>& dx) {
  auto y = sigmoid(x);
  return detail::tensor_jvp(y, dx,
                            [&y](const Tensor<Scalar>& d) { return detail::sigmoid_slope(d, y); });
}

/// The largest integer not above x.
///
/// Shapes:   x [...] -> [...]
/// Gradient: 0.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> floor(const Tensor<Scalar>& x) {
  return Tensor<Scalar>(detail::unary(ops::Op::floor, x.array()));
}

// Primal:  y = floor(x)
// Adjoint: nothing: the derivative is 0 almost everywhere
// Saves:   nothing
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(floor)
auto floor_vjp(const Tensor<Scalar>& x) {
  return detail::elementwise_vjp(floor(x), [](const Tensor<Scalar>&) { return Tensor<Scalar>(); });
}

/// The smallest integer not below x.
///
/// Shapes:   x [...] -> [...]
/// Gradient: 0.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> ceil(const Tensor<Scalar>& x) {
  return Tensor<Scalar>(detail::unary(ops::Op::ceil, x.array()));
}

// Primal:  y = ceil(x)
// Adjoint: nothing: the derivative is 0 almost everywhere
// Saves:   nothing
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(ceil)
auto ceil_vjp(const Tensor<Scalar>& x) {
  return detail::elementwise_vjp(ceil(x), [](const Tensor<Scalar>&) { return Tensor<Scalar>(); });
}

/// The nearest integer; halves go to the even one.
///
/// Shapes:   x [...] -> [...]
/// Gradient: 0.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> round(const Tensor<Scalar>& x) {
  return Tensor<Scalar>(detail::unary(ops::Op::round, x.array()));
}

// Primal:  y = round(x)
// Adjoint: nothing: the derivative is 0 almost everywhere
// Saves:   nothing
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(round)
auto round_vjp(const Tensor<Scalar>& x) {
  return detail::elementwise_vjp(round(x), [](const Tensor<Scalar>&) { return Tensor<Scalar>(); });
}

}  // namespace ddx
