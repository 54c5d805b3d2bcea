/// \file
/// Pseudo-inverses, and the solutions of systems that have none or many.

#pragma once

#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/axes.h"
#include "ddx/tensor/detail/linear_algebra.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/eigh.h"
#include "ddx/tensor/matmul.h"
#include "ddx/tensor/matrix_transpose.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/svd.h"
#include "ddx/tensor/tensor.h"

#include <source_location>
#include <tuple>

namespace ddx {

namespace detail {

/// 1 / s for the singular values of matrices of this shape that do not count as zero, else 0.
template <MatrixScalar Scalar>
Tensor<Scalar> inverse_singular_values(const Tensor<Scalar>& s, const Shape& x,
                                       const RankOptions& options) {
  if (s.count() == 0) {
    return s;
  }
  const auto cutoff = max(s, {.axes = {-1}, .keep_dims = true}) *
                      static_cast<Scalar>(rank_tolerance(x, dtype_of<Scalar>, options));
  return reciprocal_or_zero(s, cutoff);
}

/// The cotangent of a matrix from that of its pseudo-inverse p.
template <MatrixScalar Scalar>
Tensor<Scalar> pinv_gradient(const Tensor<Scalar>& x, const Tensor<Scalar>& p,
                             const Tensor<Scalar>& dp) {
  const auto g = matrix_transpose(dp);
  const auto left = ddx::matmul(g, ddx::matmul(p, p, {.transpose_right = true}));
  const auto right = ddx::matmul(ddx::matmul(p, p, {.transpose_left = true}), g);
  const auto both =
      ddx::matmul(ddx::matmul(p, dp, {.transpose_left = true}), p, {.transpose_right = true});
  return left - ddx::matmul(x, ddx::matmul(p, left)) + right -
         ddx::matmul(ddx::matmul(right, p), x) - both;
}

/// The tangent of the pseudo-inverse p of a matrix.
template <MatrixScalar Scalar>
Tensor<Scalar> pinv_tangent(const Tensor<Scalar>& x, const Tensor<Scalar>& p,
                            const Tensor<Scalar>& dx) {
  const auto t = matrix_transpose(dx);
  const auto left = ddx::matmul(ddx::matmul(p, p, {.transpose_right = true}), t);
  const auto right = ddx::matmul(t, ddx::matmul(p, p, {.transpose_left = true}));
  return left - ddx::matmul(ddx::matmul(left, x), p) + right -
         ddx::matmul(p, ddx::matmul(x, right)) - ddx::matmul(ddx::matmul(p, dx), p);
}

}  // namespace detail

/// The pseudo-inverse of each matrix (E. H. Moore, R. Penrose): v diag(1/s) u^T, without the
/// singular values that count as zero.
///
/// Shapes:   x [a..., n, m] -> [a..., m, n]
/// Throws:   UsageError where the rank is below 2 or an element is not finite; EnvironmentError
///           where there is no memory to work in.
/// Gradient: see the source; it exists where the rank does not change nearby.
/// Cost:     that of `svd`, and n m k multiplications for each matrix.
/// Source:   G. H. Golub, V. Pereyra, "The differentiation of pseudo-inverses and nonlinear least
///           squares problems whose variables separate", 1973, equation 4.12.
template <MatrixScalar Scalar>
[[nodiscard]] Tensor<Scalar> pinv(const Tensor<Scalar>& x, const RankOptions& options = {},
                                  std::source_location where = std::source_location::current()) {
  const SingularValues<Scalar> f = svd(x, {}, where);
  const auto inverses = detail::inverse_singular_values(f.s, x.shape(), options);
  return matmul(f.v * expand_dims(inverses, -2), f.u, {.transpose_right = true});
}

// Primal:  p = x^+
// Adjoint: adj[x] += (1 - x p) adj[p]^T p p^T + p^T p adj[p]^T (1 - p x) - p^T adj[p] p^T
// Saves:   x, p
template <MatrixScalar Scalar>
DDX_DERIVATIVE_OF(pinv)
auto pinv_vjp(const Tensor<Scalar>& x, const RankOptions& options, std::source_location where) {
  auto p = pinv(x, options, where);
  return detail::tensor_vjp(
      p, [x, p](const Tensor<Scalar>& dp) { return detail::pinv_gradient(x, p, dp); });
}

// Tangent: dp = p p^T dx^T (1 - x p) + (1 - p x) dx^T p^T p - p dx p
template <MatrixScalar Scalar>
DDX_DERIVATIVE_OF(pinv)
auto pinv_jvp(const Tensor<Scalar>& x, const RankOptions& options, std::source_location where,
              const Tensor<Scalar>& dx) {
  const auto p = pinv(x, options, where);
  return detail::tensor_jvp(p, dx,
                            [&](const Tensor<Scalar>& d) { return detail::pinv_tangent(x, p, d); });
}

/// The x for which a x is nearest to b, in the sum of squares of each column; of several, the one
/// with the least sum of squares. By singular values, so that `a` may have any rank.
///
/// Shapes:   a [s..., n, m], b [s..., n, k] -> [s..., m, k]; the leading axes are equal, or one
///           operand has none
/// Throws:   UsageError where a rank is below 2, the rows, the leading axes or the devices differ,
///           or an element of `a` is not finite; EnvironmentError where there is no memory to work
///           in.
/// Gradient: as of pinv(a) b; it exists where the rank does not change nearby.
/// Cost:     that of `svd`, and 2 n m k multiplications for each matrix.
/// Source:   Golub, Pereyra, 1973.
template <MatrixScalar Scalar>
[[nodiscard]] Tensor<Scalar> lstsq(const Tensor<Scalar>& a, const Tensor<Scalar>& b,
                                   const RankOptions& options = {},
                                   std::source_location where = std::source_location::current()) {
  detail::check_least_squares(a.shape(), b.shape(), where);
  const SingularValues<Scalar> f = svd(a, {}, where);
  const auto inverses = detail::inverse_singular_values(f.s, a.shape(), options);
  return matmul(f.v, expand_dims(inverses, -1) * matmul(f.u, b, {.transpose_left = true}, where));
}

// Primal:  x = a^+ b
// Adjoint: adj[b] += p^T adj[x], adj[a] as of p = pinv(a) with adj[p] = adj[x] b^T
// Saves:   a, b
template <MatrixScalar Scalar>
DDX_DERIVATIVE_OF(lstsq)
auto lstsq_vjp(const Tensor<Scalar>& a, const Tensor<Scalar>& b, const RankOptions& options,
               std::source_location where) {
  return detail::tensor_vjp(
      lstsq(a, b, options, where),
      [a, b, options, where](const Tensor<Scalar>& dx, Wanted<2> wanted) {
        const auto p = pinv(a, options, where);
        Tensor<Scalar> to_a;
        if (wanted[0]) {
          to_a = sum_to(detail::pinv_gradient(a, p, matmul(dx, b, {.transpose_right = true})),
                        a.shape());
        }
        return std::tuple(to_a, sum_to(matmul(p, dx, {.transpose_left = true}), b.shape()));
      });
}

// Tangent: dx = dp b + p db
template <MatrixScalar Scalar>
DDX_DERIVATIVE_OF(lstsq)
auto lstsq_jvp(const Tensor<Scalar>& a, const Tensor<Scalar>& b, const RankOptions& options,
               std::source_location where, const Tensor<Scalar>& da, const Tensor<Scalar>& db) {
  const auto p = pinv(a, options, where);
  Tensor<Scalar> tangent;
  if (!da.is_symbolic_zero()) {
    tangent = matmul(detail::pinv_tangent(a, p, da), b);
  }
  if (!db.is_symbolic_zero()) {
    tangent = tangent + matmul(p, db);
  }
  return ValueWithTangent<Tensor<Scalar>, Tensor<Scalar>>{lstsq(a, b, options, where), tangent};
}

}  // namespace ddx
