/// \file
/// Eigenvalues and eigenvectors of symmetric matrices.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/axes.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/cholesky.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/detail/linear_algebra.h"
#include "ddx/tensor/detail/sorted_values.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/diagonal.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/matmul.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include <limits>
#include <source_location>
#include <utility>

namespace ddx {

/// The result of eigh.
template <MatrixScalar Scalar>
struct SymmetricEigen {
  Tensor<Scalar> values;   ///< Ascending.
  Tensor<Scalar> vectors;  ///< Orthonormal columns, in the order of the values.

  DDX_DIFFERENTIABLE(SymmetricEigen, values, vectors)
};

/// The eigenvalues and eigenvectors of symmetric matrices: x v_i = l_i v_i. Of `x` the symmetric
/// part (x + x^T) / 2 is taken. The first element of a vector that is at least half as large as its
/// largest is positive.
///
/// Shapes:   x [a..., n, n] -> values [a..., n], vectors [a..., n, n]
/// Throws:   UsageError if the rank is below 2, the matrices are not square, or an element is not
///           finite; EnvironmentError if there is no memory to work in.
/// Gradient: see the source. If two values are equal up to rounding, the vectors have none: a
///           UsageError names the two when a gradient or tangent of the vectors is requested.
///           (`eigvalsh` has one there.)
/// Cost:     about 9 n^3 multiplications for each matrix.
/// Source:   M. B. Giles, "An extended collection of matrix derivative results for forward and
///           reverse mode algorithmic differentiation", 2008, section 3.1.
template <MatrixScalar Scalar>
[[nodiscard]] SymmetricEigen<Scalar> eigh(
    const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) {
  auto [values, vectors] = detail::eigh(x.array(), where);
  return {Tensor<Scalar>(std::move(values)), Tensor<Scalar>(std::move(vectors))};
}

namespace detail {

/// 1 / x, and 0 where |x| is at most `negligible`.
template <MatrixScalar Scalar>
Tensor<Scalar> reciprocal_or_zero(const Tensor<Scalar>& x, const Tensor<Scalar>& negligible) {
  const auto usable = greater(abs(x), negligible);
  return cast<Scalar>(usable) / select(usable, x, Scalar{1});
}

/// f_ij = 1 / (v_j - v_i), 0 on the diagonal. Requires values that differ.
///
/// Shapes:  values [a..., n] -> [a..., n, n]
template <MatrixScalar Scalar>
Tensor<Scalar> reciprocal_gaps(const Tensor<Scalar>& values) {
  return reciprocal_or_zero(expand_dims(values, -2) - expand_dims(values, -1), Tensor<Scalar>());
}

/// v d v^T for a diagonal d.
template <MatrixScalar Scalar>
Tensor<Scalar> with_values(const Tensor<Scalar>& vectors, const Tensor<Scalar>& values) {
  return ddx::matmul(vectors * expand_dims(values, -2), vectors, {.transpose_right = true});
}

}  // namespace detail

// Primal:  x v = v diag(l), v^T v = 1
// Adjoint: adj[x] += sym(v (diag(adj[l]) + f o (v^T adj[v])) v^T), f_ij = 1 / (l_j - l_i)
// Saves:   l, v
template <MatrixScalar Scalar>
DDX_DERIVATIVE_OF(eigh)
auto eigh_vjp(const Tensor<Scalar>& x, std::source_location where) {
  using Tangent = typename SymmetricEigen<Scalar>::TangentVector;
  auto y = eigh(x, where);
  return vjp(y, [l = y.values, v = y.vectors, where](const Tangent& dy) {
    Tensor<Scalar> result;
    if (!dy.values.is_symbolic_zero()) {
      result = detail::with_values(v, dy.values);
    }
    if (!dy.vectors.is_symbolic_zero()) {
      const auto inner = detail::reciprocal_gaps(detail::distinct("eigh", l, where)) *
                         matmul(v, dy.vectors, {.transpose_left = true});
      result =
          result + detail::symmetric_part(matmul(matmul(v, inner), v, {.transpose_right = true}));
    }
    return result;
  });
}

// Tangent: p = v^T dx v, dl = diag(p), dv = v (f o p)
template <MatrixScalar Scalar>
DDX_DERIVATIVE_OF(eigh)
auto eigh_jvp(const Tensor<Scalar>& x, std::source_location where, const Tensor<Scalar>& dx) {
  using Tangent = typename SymmetricEigen<Scalar>::TangentVector;
  const auto y = eigh(x, where);
  Tangent tangent;
  if (!dx.is_symbolic_zero()) {
    const auto p =
        matmul(matmul(y.vectors, detail::symmetric_part(dx), {.transpose_left = true}), y.vectors);
    tangent.values = diagonal_part(p);
    tangent.vectors =
        matmul(y.vectors, detail::reciprocal_gaps(detail::distinct("eigh", y.values, where)) * p);
  }
  return ValueWithTangent<SymmetricEigen<Scalar>, Tangent>{y, tangent};
}

/// The eigenvalues of symmetric matrices, ascending. Of `x` the symmetric part (x + x^T) / 2 is
/// taken.
///
/// Shapes:   x [a..., n, n] -> [a..., n]
/// Throws:   UsageError where the rank is below 2, the matrices are not square, or an element is
///           not finite; EnvironmentError where there is no memory to work in.
/// Gradient: v diag(dy) v^T, v the vectors; also for equal values, where it is one of several.
/// Cost:     about 4/3 n^3 multiplications for each matrix; with its gradient, as `eigh`.
template <MatrixScalar Scalar>
[[nodiscard]] Tensor<Scalar> eigvalsh(
    const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::eigvalsh(x.array(), where));
}

// Primal:  x v = v diag(l)
// Adjoint: adj[x] += v diag(adj[l]) v^T
// Saves:   x
// Source:  Giles, 2008, section 3.1
template <MatrixScalar Scalar>
DDX_DERIVATIVE_OF(eigvalsh)
auto eigvalsh_vjp(const Tensor<Scalar>& x, std::source_location where) {
  return detail::tensor_vjp(eigvalsh(x, where), [x, where](const Tensor<Scalar>& dl) {
    return detail::with_values(eigh(x, where).vectors, dl);
  });
}

// Tangent: dl = diag(v^T dx v)
template <MatrixScalar Scalar>
DDX_DERIVATIVE_OF(eigvalsh)
auto eigvalsh_jvp(const Tensor<Scalar>& x, std::source_location where, const Tensor<Scalar>& dx) {
  return detail::tensor_jvp(eigvalsh(x, where), dx, [&](const Tensor<Scalar>& d) {
    const auto v = eigh(x, where).vectors;
    return sum(v * matmul(detail::symmetric_part(d), v), {.axes = {-2}});
  });
}

}  // namespace ddx
