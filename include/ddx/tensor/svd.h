/// \file
/// Singular values and vectors.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/axes.h"
#include "ddx/tensor/detail/linear_algebra.h"
#include "ddx/tensor/detail/sorted_values.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/diagonal.h"
#include "ddx/tensor/eigh.h"
#include "ddx/tensor/matmul.h"
#include "ddx/tensor/matrix_transpose.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include <source_location>
#include <utility>

namespace ddx {

/// The result of svd.
template <MatrixScalar Scalar>
struct SingularValues {
  Tensor<Scalar> u;  ///< Orthonormal columns.
  Tensor<Scalar> s;  ///< Descending, none negative.
  Tensor<Scalar> v;  ///< Orthonormal columns.

  DDX_DIFFERENTIABLE(SingularValues, u, s, v)
};

/// Each matrix as a product u diag(s) v^T. The first element of a column of `u` that is at least
/// half as large as its largest is positive.
///
/// Shapes:   x [a..., n, m] -> u [a..., n, k], s [a..., k], v [a..., m, k], k = min(n, m); with
///           full factors u [a..., n, n], v [a..., m, m]
/// Throws:   UsageError if the rank is below 2 or an element is not finite, and from its derivative
///           if full factors of matrices that are not square are requested (their last columns may
///           be any basis); EnvironmentError if there is no memory to work in.
/// Gradient: see the source. If two values are equal up to rounding, or the least is 0 and the
///           matrix not square, the vectors have none: a UsageError names the value when a gradient
///           or tangent of the vectors is requested. (`svdvals` has one there.)
/// Cost:     about 14 n m k + 8 k^3 multiplications for each matrix.
/// Source:   J. Townsend, "Differentiating the singular value decomposition", 2016; Giles, 2008,
///           section 3.2.
template <MatrixScalar Scalar>
[[nodiscard]] SingularValues<Scalar> svd(
    const Tensor<Scalar>& x, const DecompositionOptions& options = {},
    std::source_location where = std::source_location::current()) {
  auto [u, s, v] = detail::svd(x.array(), options.full, where);
  return {Tensor<Scalar>(std::move(u)), Tensor<Scalar>(std::move(s)), Tensor<Scalar>(std::move(v))};
}

namespace detail {

/// f_ij = 1 / (s_j^2 - s_i^2), 0 on the diagonal. Requires values that differ.
template <MatrixScalar Scalar>
Tensor<Scalar> reciprocal_square_gaps(const Tensor<Scalar>& s) {
  const auto sums = expand_dims(s, -2) + expand_dims(s, -1);
  return reciprocal_gaps(s) * reciprocal_or_zero(sums, Tensor<Scalar>());
}

/// x - x^T.
template <MatrixScalar Scalar>
Tensor<Scalar> antisymmetric(const Tensor<Scalar>& x) {
  return x - matrix_transpose(x);
}

/// (1 - q q^T) x diag(1/s): what of the columns lies outside of the span of q, which is nothing
/// where q is square.
template <MatrixScalar Scalar>
Tensor<Scalar> outside_of(const Tensor<Scalar>& q, const Tensor<Scalar>& x, const Tensor<Scalar>& s,
                          std::source_location where) {
  if (q.shape()[q.rank() - 2] == q.shape()[q.rank() - 1]) {
    return Tensor<Scalar>();
  }
  const auto rest = x - ddx::matmul(q, ddx::matmul(q, x, {.transpose_left = true}));
  return rest / expand_dims(positive("svd", s, where), -2);
}

}  // namespace detail

// Primal:  x = u diag(s) v^T
// Adjoint: adj[x] += u (diag(adj[s]) + (f o a) diag(s) + diag(s) (f o b)) v^T
//                    + (1 - u u^T) adj[u] diag(1/s) v^T + u diag(1/s) adj[v]^T (1 - v v^T),
//          a = u^T adj[u] - adj[u]^T u, b = v^T adj[v] - adj[v]^T v, f_ij = 1 / (s_j^2 - s_i^2)
// Saves:   u, s, v
template <MatrixScalar Scalar>
DDX_DERIVATIVE_OF(svd)
auto svd_vjp(const Tensor<Scalar>& x, const DecompositionOptions& options,
             std::source_location where) {
  using Tangent = typename SingularValues<Scalar>::TangentVector;
  detail::check_unique("svd", x.shape(), options.full, where);
  auto y = svd(x, options, where);
  return vjp(y, [u = y.u, s = y.s, v = y.v, where](const Tangent& dy) {
    const auto row = expand_dims(s, -2);
    Tensor<Scalar> result;
    if (!dy.s.is_symbolic_zero()) {
      result = matmul(u * expand_dims(dy.s, -2), v, {.transpose_right = true});
    }
    if (dy.u.is_symbolic_zero() && dy.v.is_symbolic_zero()) {
      return result;
    }
    const auto f = detail::reciprocal_square_gaps(detail::distinct("svd", s, where));
    if (!dy.u.is_symbolic_zero()) {
      const auto a = detail::antisymmetric(matmul(u, dy.u, {.transpose_left = true}));
      const auto left = matmul(u, f * a * row) + detail::outside_of(u, dy.u, s, where);
      result = result + matmul(left, v, {.transpose_right = true});
    }
    if (!dy.v.is_symbolic_zero()) {
      const auto b = detail::antisymmetric(matmul(v, dy.v, {.transpose_left = true}));
      // The transpose of diag(s) (f o b) v^T: b and f change their signs.
      const auto right = matmul(v, f * b * row) + detail::outside_of(v, dy.v, s, where);
      result = result + matmul(u, right, {.transpose_right = true});
    }
    return result;
  });
}

// Tangent: p = u^T dx v, ds = diag(p), du = u (f o (p diag(s) + diag(s) p^T))
//          + (1 - u u^T) dx v diag(1/s), dv = v (f o (diag(s) p + p^T diag(s)))
//          + (1 - v v^T) dx^T u diag(1/s)
template <MatrixScalar Scalar>
DDX_DERIVATIVE_OF(svd)
auto svd_jvp(const Tensor<Scalar>& x, const DecompositionOptions& options,
             std::source_location where, const Tensor<Scalar>& dx) {
  using Tangent = typename SingularValues<Scalar>::TangentVector;
  detail::check_unique("svd", x.shape(), options.full, where);
  const auto y = svd(x, options, where);
  Tangent tangent;
  if (!dx.is_symbolic_zero()) {
    const auto row = expand_dims(y.s, -2);
    const auto column = expand_dims(y.s, -1);
    const auto f = detail::reciprocal_square_gaps(detail::distinct("svd", y.s, where));
    const auto dx_v = matmul(dx, y.v);
    const auto dx_u = matmul(dx, y.u, {.transpose_left = true});
    const auto p = matmul(y.u, dx_v, {.transpose_left = true});
    const auto pt = matrix_transpose(p);
    tangent.s = diagonal_part(p);
    tangent.u =
        matmul(y.u, f * (p * row + column * pt)) + detail::outside_of(y.u, dx_v, y.s, where);
    tangent.v =
        matmul(y.v, f * (column * p + pt * row)) + detail::outside_of(y.v, dx_u, y.s, where);
  }
  return ValueWithTangent<SingularValues<Scalar>, Tangent>{y, tangent};
}

/// The singular values of each matrix, descending.
///
/// Shapes:   x [a..., n, m] -> [a..., min(n, m)]
/// Throws:   UsageError where the rank is below 2 or an element is not finite; EnvironmentError
///           where there is no memory to work in.
/// Gradient: u diag(dy) v^T, with the vectors; also for equal values and the value 0, where it is
///           one of several.
/// Cost:     about 2 n m k multiplications for each matrix; with its gradient, as `svd`.
template <MatrixScalar Scalar>
[[nodiscard]] Tensor<Scalar> svdvals(const Tensor<Scalar>& x,
                                     std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::svdvals(x.array(), where));
}

// Primal:  x = u diag(s) v^T
// Adjoint: adj[x] += u diag(adj[s]) v^T
// Saves:   x
// Source:  Giles, 2008, section 3.2
template <MatrixScalar Scalar>
DDX_DERIVATIVE_OF(svdvals)
auto svdvals_vjp(const Tensor<Scalar>& x, std::source_location where) {
  return detail::tensor_vjp(svdvals(x, where), [x, where](const Tensor<Scalar>& ds) {
    const SingularValues<Scalar> y = svd(x, {}, where);
    return matmul(y.u * expand_dims(ds, -2), y.v, {.transpose_right = true});
  });
}

// Tangent: ds = diag(u^T dx v)
template <MatrixScalar Scalar>
DDX_DERIVATIVE_OF(svdvals)
auto svdvals_jvp(const Tensor<Scalar>& x, std::source_location where, const Tensor<Scalar>& dx) {
  return detail::tensor_jvp(svdvals(x, where), dx, [&](const Tensor<Scalar>& d) {
    const SingularValues<Scalar> y = svd(x, {}, where);
    return sum(y.u * matmul(d, y.v), {.axes = {-2}});
  });
}

}  // namespace ddx
