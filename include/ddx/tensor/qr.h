/// \file
/// Matrices as products of orthonormal columns and an upper triangle.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/detail/linear_algebra.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/diagonal.h"
#include "ddx/tensor/matmul.h"
#include "ddx/tensor/matrix_transpose.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/tensor.h"
#include "ddx/tensor/triangular_solve.h"

#include <cstdint>
#include <source_location>
#include <utility>
#include <vector>

namespace ddx {

/// The result of qr.
template <MatrixScalar Scalar>
struct QrFactors {
  Tensor<Scalar> q;  ///< Orthonormal columns.
  Tensor<Scalar> r;  ///< An upper triangle; no element of its diagonal is negative.

  DDX_DIFFERENTIABLE(QrFactors, q, r)
};

/// Each matrix as a product q r.
///
/// Shapes:   x [a..., n, m] -> q [a..., n, k], r [a..., k, m]; k is min(n, m), or n where the
///           options ask for full factors
/// Throws:   UsageError where the rank is below 2; its derivative where full factors of tall
///           matrices (n > m) are asked for, whose last columns may be any basis, or where the
///           first min(n, m) columns depend on each other: then there is none.
/// Gradient: see the source.
/// Cost:     about 4 n m k - 4/3 k^3 multiplications for each matrix.
/// Source:   S. F. Walter, L. Lehmann, "Algorithmic differentiation of linear algebra functions",
///           arXiv:1001.1654, 2010; wide matrices: D. A. O. Roberts, L. R. Roberts, "QR and LQ
///           decomposition matrix backpropagation algorithms", arXiv:2009.10071, 2020.
template <MatrixScalar Scalar>
[[nodiscard]] QrFactors<Scalar> qr(const Tensor<Scalar>& x,
                                   const DecompositionOptions& options = {},
                                   std::source_location where = std::source_location::current()) {
  auto [q, r] = detail::qr(x.array(), options.full, where);
  return {Tensor<Scalar>(std::move(q)), Tensor<Scalar>(std::move(r))};
}

namespace detail {

/// The tangent, or zeros of the shape of its value in the place of a symbolic one.
template <MatrixScalar Scalar>
Tensor<Scalar> real_tangent(const Tensor<Scalar>& tangent, const Tensor<Scalar>& value) {
  return tangent.is_symbolic_zero() ? zeros<Scalar>(value.shape(), value.device()) : tangent;
}

/// The first `count` columns of each matrix, and the others.
template <MatrixScalar Scalar>
Tensor<Scalar> first_columns(const Tensor<Scalar>& x, std::int64_t count) {
  return slice(x, column_range(x.shape(), 0, count));
}
template <MatrixScalar Scalar>
Tensor<Scalar> other_columns(const Tensor<Scalar>& x, std::int64_t count) {
  return slice(x, column_range(x.shape(), count, x.shape()[x.rank() - 1]));
}

/// The cotangent of x = q r, r square.
template <MatrixScalar Scalar>
Tensor<Scalar> square_qr_gradient(const Tensor<Scalar>& q, const Tensor<Scalar>& r,
                                  const Tensor<Scalar>& dq, const Tensor<Scalar>& dr) {
  const auto m =
      ddx::matmul(r, dr, {.transpose_right = true}) - ddx::matmul(dq, q, {.transpose_left = true});
  const auto lower = band_part(m, -1, 0);
  const auto mirrored = lower + matrix_transpose(lower - band_part(m, 0, 0));
  const auto product = dq + ddx::matmul(q, mirrored);
  return matrix_transpose(triangular_solve(r, matrix_transpose(product), {.lower = false}));
}

/// The tangents of q and r where x = q r, r square.
template <MatrixScalar Scalar>
QrFactors<Scalar> square_qr_tangent(const Tensor<Scalar>& q, const Tensor<Scalar>& r,
                                    const Tensor<Scalar>& dx) {
  const auto quotient = matrix_transpose(
      triangular_solve(r, matrix_transpose(dx), {.lower = false, .adjoint = true}));
  const auto inner = ddx::matmul(q, quotient, {.transpose_left = true});
  const auto below = inner - band_part(inner, 0, -1);
  const auto turned = below - matrix_transpose(below);
  return {quotient + ddx::matmul(q, turned - inner), ddx::matmul(inner - turned, r)};
}

}  // namespace detail

// Primal:  q r = x; of a wide x = (x1 x2), q r1 = x1 and r2 = q^T x2
// Adjoint: m = r adj[r]^T - adj[q]^T q, c its lower triangle and the mirror image of that,
//          adj[x] += (adj[q] + q c) r^-T; of a wide x, adj[x2] += q adj[r2], and adj[q] is first
//          increased by x2 adj[r2]^T
// Saves:   q, r
template <MatrixScalar Scalar>
DDX_DERIVATIVE_OF(qr)
auto qr_vjp(const Tensor<Scalar>& x, const DecompositionOptions& options,
            std::source_location where) {
  using Tangent = typename QrFactors<Scalar>::TangentVector;
  detail::check_unique("qr", x.shape(), options.full, where);
  auto y = qr(x, options, where);
  return vjp(y, [q = y.q, r = y.r](const Tangent& dy) {
    if (dy.q.is_symbolic_zero() && dy.r.is_symbolic_zero()) {
      return Tensor<Scalar>();
    }
    const std::int64_t rows = r.shape()[r.rank() - 2];
    const auto dq = detail::real_tangent(dy.q, q);
    const auto dr = detail::real_tangent(dy.r, r);
    if (rows == r.shape()[r.rank() - 1]) {
      return detail::square_qr_gradient(q, r, dq, dr);
    }
    const auto dr2 = detail::other_columns(dr, rows);
    const auto x2 = matmul(q, detail::other_columns(r, rows));
    const auto to_x1 = detail::square_qr_gradient(q, detail::first_columns(r, rows),
                                                  dq + matmul(x2, dr2, {.transpose_right = true}),
                                                  detail::first_columns(dr, rows));
    return concatenate(std::vector<Tensor<Scalar>>{to_x1, matmul(q, dr2)}, -1);
  });
}

// Tangent: c = q^T dx r^-1, w = its elements below the diagonal minus their mirror image,
//          dr = (c - w) r, dq = dx r^-1 + q (w - c); of a wide x, dr2 = dq^T x2 + q^T dx2
template <MatrixScalar Scalar>
DDX_DERIVATIVE_OF(qr)
auto qr_jvp(const Tensor<Scalar>& x, const DecompositionOptions& options,
            std::source_location where, const Tensor<Scalar>& dx) {
  using Tangent = typename QrFactors<Scalar>::TangentVector;
  detail::check_unique("qr", x.shape(), options.full, where);
  const auto y = qr(x, options, where);
  Tangent tangent;
  if (!dx.is_symbolic_zero()) {
    const std::int64_t rows = y.r.shape()[y.r.rank() - 2];
    if (rows == y.r.shape()[y.r.rank() - 1]) {
      const auto d = detail::square_qr_tangent(y.q, y.r, dx);
      tangent.q = d.q;
      tangent.r = d.r;
    } else {
      const auto d = detail::square_qr_tangent(y.q, detail::first_columns(y.r, rows),
                                               detail::first_columns(dx, rows));
      const auto x2 = detail::other_columns(x, rows);
      const auto dx2 = detail::other_columns(dx, rows);
      tangent.q = d.q;
      tangent.r = concatenate(
          std::vector<Tensor<Scalar>>{d.r, matmul(d.q, x2, {.transpose_left = true}) +
                                               matmul(y.q, dx2, {.transpose_left = true})},
          -1);
    }
  }
  return ValueWithTangent<QrFactors<Scalar>, Tangent>{y, tangent};
}

}  // namespace ddx
