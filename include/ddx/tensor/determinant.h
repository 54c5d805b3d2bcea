/// \file
/// Determinants and their logarithms.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/axes.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/cumulative.h"
#include "ddx/tensor/detail/linear_algebra.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/diagonal.h"
#include "ddx/tensor/matmul.h"
#include "ddx/tensor/matrix_transpose.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/solve.h"
#include "ddx/tensor/svd.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <limits>
#include <source_location>
#include <utility>

namespace ddx {

/// The determinant of each matrix.
///
/// Shapes:   x [a..., n, n] -> [a...]
/// Returns:  1 for matrices without rows.
/// Throws:   UsageError where the rank is below 2 or the matrices are not square.
/// Gradient: dy times the cofactors; right for singular matrices too. (Its own derivative, at
///           matrices that are singular or nearly so, needs distinct singular values.)
/// Cost:     n^3 / 3 multiplications for each matrix.
template <MatrixScalar Scalar>
[[nodiscard]] Tensor<Scalar> det(const Tensor<Scalar>& x,
                                 std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::determinant(x.array(), where));
}

namespace detail {

/// Whether some matrix has a pivot that is negligible beside another.
template <MatrixScalar Scalar>
bool is_nearly_singular(const Tensor<Scalar>& x) {
  return is_nearly_singular(lu("det", x.array(), {}));
}

/// The derivative of the determinant by each element. For a singular matrix, from its singular
/// values: the product of all but one of them, in the place of det(x) / s_i.
template <MatrixScalar Scalar>
Tensor<Scalar> cofactors(const Tensor<Scalar>& x) {
  if (!is_nearly_singular(x)) {
    return expand_dims(expand_dims(det(x), -1), -1) * matrix_transpose(inverse(x));
  }
  const SingularValues<Scalar> f = svd(x);
  const auto others = cumulative_product(f.s, {.exclusive = true}) *
                      cumulative_product(f.s, {.exclusive = true, .reverse = true});
  const auto sign = expand_dims(expand_dims(det(f.u) * det(f.v), -1), -1);
  return matmul(f.u * expand_dims(others, -2), f.v, {.transpose_right = true}) * sign;
}

}  // namespace detail

// Primal:  y = det x
// Adjoint: adj[x] += adj[y] cof(x), cof(x) = det(x) x^-T
// Saves:   x
// Source:  Giles, 2008, section 2.2.4
template <MatrixScalar Scalar>
DDX_DERIVATIVE_OF(det)
auto det_vjp(const Tensor<Scalar>& x, std::source_location where) {
  return detail::tensor_vjp(det(x, where), [x](const Tensor<Scalar>& dy) {
    return expand_dims(expand_dims(dy, -1), -1) * detail::cofactors(x);
  });
}

// Tangent: dy = sum(cof(x) dx)
template <MatrixScalar Scalar>
DDX_DERIVATIVE_OF(det)
auto det_jvp(const Tensor<Scalar>& x, std::source_location where, const Tensor<Scalar>& dx) {
  return detail::tensor_jvp(det(x, where), dx, [&x](const Tensor<Scalar>& d) {
    return sum(detail::cofactors(x) * d, {.axes = {-2, -1}});
  });
}

/// The result of slogdet.
template <MatrixScalar Scalar>
struct SignAndLog {
  Tensor<Scalar> sign;         ///< 1, -1, or 0 for a singular matrix.
  Tensor<Scalar> log_abs_det;  ///< Minus infinity for a singular matrix.

  DDX_DIFFERENTIABLE(SignAndLog, log_abs_det)
  DDX_NO_DERIVATIVE(sign)
};

namespace detail {

/// The transposed inverse, on behalf of an operation.
template <MatrixScalar Scalar>
Tensor<Scalar> inverse_transposed(const char* operation, const Tensor<Scalar>& x,
                                  std::source_location where) {
  const LuFactors factors = regular_lu(operation, x, where);
  const std::int64_t n = x.shape()[x.rank() - 1];
  return solve_by(x, factors, eye<Scalar>(n, n, x.device()), true, where);
}

}  // namespace detail

/// The sign and the logarithm of the absolute value of each determinant, which neither overflow nor
/// vanish where the determinant does.
///
/// Shapes:   x [a..., n, n] -> sign [a...], log_abs_det [a...]
/// Throws:   UsageError where the rank is below 2 or the matrices are not square; its gradient
///           where a matrix is singular.
/// Gradient: of the logarithm: dy x^-T.
/// Cost:     n^3 / 3 multiplications for each matrix.
template <MatrixScalar Scalar>
[[nodiscard]] SignAndLog<Scalar> slogdet(
    const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) {
  auto [sign, logarithm] = detail::sign_and_log(x.array(), where);
  return {Tensor<Scalar>(std::move(sign)), Tensor<Scalar>(std::move(logarithm))};
}

// Primal:  y = log |det x|
// Adjoint: adj[x] += adj[y] x^-T
// Saves:   x
// Source:  Giles, 2008, section 2.2.4
template <MatrixScalar Scalar>
DDX_DERIVATIVE_OF(slogdet)
auto slogdet_vjp(const Tensor<Scalar>& x, std::source_location where) {
  using Tangent = typename SignAndLog<Scalar>::TangentVector;
  return vjp(slogdet(x, where), [x, where](const Tangent& dy) {
    if (dy.log_abs_det.is_symbolic_zero()) {
      return Tensor<Scalar>();
    }
    return expand_dims(expand_dims(dy.log_abs_det, -1), -1) *
           detail::inverse_transposed("slogdet", x, where);
  });
}

// Tangent: dy = trace(x^-1 dx)
template <MatrixScalar Scalar>
DDX_DERIVATIVE_OF(slogdet)
auto slogdet_jvp(const Tensor<Scalar>& x, std::source_location where, const Tensor<Scalar>& dx) {
  using Tangent = typename SignAndLog<Scalar>::TangentVector;
  Tangent tangent;
  if (!dx.is_symbolic_zero()) {
    const detail::LuFactors factors = detail::regular_lu("slogdet", x, where);
    tangent.log_abs_det = trace(detail::solve_by(x, factors, dx, false, where));
  }
  return ValueWithTangent<SignAndLog<Scalar>, Tangent>{slogdet(x, where), tangent};
}

/// The logarithm of each determinant.
///
/// Shapes:   x [a..., n, n] -> [a...]
/// Returns:  NaN for a negative determinant, minus infinity for a singular matrix.
/// Throws:   UsageError where the rank is below 2 or the matrices are not square; its gradient
///           where a matrix is singular.
/// Gradient: dy x^-T.
/// Cost:     n^3 / 3 multiplications for each matrix.
template <MatrixScalar Scalar>
[[nodiscard]] Tensor<Scalar> logdet(const Tensor<Scalar>& x,
                                    std::source_location where = std::source_location::current()) {
  const SignAndLog<Scalar> y = slogdet(x, where);
  return select(less(y.sign, Scalar{0}), std::numeric_limits<Scalar>::quiet_NaN(), y.log_abs_det);
}

}  // namespace ddx
