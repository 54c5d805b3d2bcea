/// \file
/// The square root of a positive definite matrix that is a triangle.

#pragma once

#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/detail/linear_algebra.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/diagonal.h"
#include "ddx/tensor/matmul.h"
#include "ddx/tensor/matrix_transpose.h"
#include "ddx/tensor/tensor.h"
#include "ddx/tensor/triangular_solve.h"

#include <source_location>

namespace ddx {

namespace detail {

/// The lower triangle with half of the diagonal.
template <MatrixScalar Scalar>
Tensor<Scalar> half_lower(const Tensor<Scalar>& x) {
  return band_part(x, -1, 0) - band_part(x, 0, 0) * Scalar{0.5};
}

/// (x + x^T) / 2.
template <MatrixScalar Scalar>
Tensor<Scalar> symmetric_part(const Tensor<Scalar>& x) {
  return (x + matrix_transpose(x)) * Scalar{0.5};
}

}  // namespace detail

/// The lower triangle l with a positive diagonal and l l^T = x. Of `x` the symmetric part
/// (x + x^T) / 2 is taken.
///
/// Shapes:   x [a..., n, n] -> [a..., n, n]
/// Throws:   UsageError where the rank is below 2, the matrices are not square, or one is not
///           positive definite (or has a NaN): names that matrix and the pivot.
/// Gradient: symmetric; see the source.
/// Cost:     n^3 / 6 multiplications for each matrix.
/// Source:   I. Murray, "Differentiation of the Cholesky decomposition", arXiv:1602.07527, 2016.
template <MatrixScalar Scalar>
[[nodiscard]] Tensor<Scalar> cholesky(
    const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::cholesky(x.array(), where));
}

// Primal:  l l^T = (x + x^T) / 2
// Adjoint: adj[x] += sym(l^-T h(l^T adj[l]) l^-1), h the lower triangle with half of the diagonal
// Saves:   l
// Source:  Murray, 2016, equation 10
template <MatrixScalar Scalar>
DDX_DERIVATIVE_OF(cholesky)
auto cholesky_vjp(const Tensor<Scalar>& x, std::source_location where) {
  auto l = cholesky(x, where);
  return detail::tensor_vjp(l, [l](const Tensor<Scalar>& dl) {
    const auto inner =
        detail::half_lower(matmul(l, band_part(dl, -1, 0), {.transpose_left = true}));
    const auto left = triangular_solve(l, detail::symmetric_part(inner), {.adjoint = true});
    return triangular_solve(l, matrix_transpose(left), {.adjoint = true});
  });
}

// Tangent: dl = l h(l^-1 dx l^-T), dx symmetric
// Source:  Murray, 2016, equation 8
template <MatrixScalar Scalar>
DDX_DERIVATIVE_OF(cholesky)
auto cholesky_jvp(const Tensor<Scalar>& x, std::source_location where, const Tensor<Scalar>& dx) {
  const auto l = cholesky(x, where);
  return detail::tensor_jvp(l, dx, [&l](const Tensor<Scalar>& d) {
    const auto left = triangular_solve(l, detail::symmetric_part(d));
    return matmul(l, detail::half_lower(triangular_solve(l, matrix_transpose(left))));
  });
}

}  // namespace ddx
