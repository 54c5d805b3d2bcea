/// \file
/// The exponential function of matrices.

#pragma once

#include "ddx/tensor/creation.h"
#include "ddx/tensor/detail/linear_algebra.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/matrix_transpose.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>
#include <vector>

namespace ddx {

/// The exponential of each matrix: the sum of x^k / k! over all k. (Of the elements: `exp`.)
///
/// Shapes:   x [a..., n, n] -> [a..., n, n]
/// Throws:   UsageError where the rank is below 2, the matrices are not square, or one has a norm
///           that is not finite.
/// Gradient: a block of the exponential of a matrix of 2 n rows; see the source.
/// Cost:     about 7 + log2(norm / 5) products of matrices; with its gradient, 8 times as much
///           more.
/// Source:   N. J. Higham, "The scaling and squaring method for the matrix exponential revisited",
///           2005; the derivative: I. Najfeld, T. F. Havel, "Derivatives of the matrix exponential
///           and their computation", 1995.
template <MatrixScalar Scalar>
[[nodiscard]] Tensor<Scalar> matrix_exponential(
    const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::matrix_exponential(x.array(), where));
}

namespace detail {

/// The derivative of the exponential at `x` in the direction `d`: the upper right block of the
/// exponential of (x d; 0 x).
template <MatrixScalar Scalar>
Tensor<Scalar> exponential_along(const Tensor<Scalar>& x, const Tensor<Scalar>& d) {
  const std::int64_t n = x.shape()[x.rank() - 1];
  const auto upper = concatenate(std::vector<Tensor<Scalar>>{x, d}, -1);
  const auto lower =
      concatenate(std::vector<Tensor<Scalar>>{zeros<Scalar>(x.shape(), x.device()), x}, -1);
  const auto y =
      ddx::matrix_exponential(concatenate(std::vector<Tensor<Scalar>>{upper, lower}, -2));
  return slice(y, upper_right(y.shape(), n));
}

}  // namespace detail

// Primal:  y = exp(x), l(x, d) its derivative at x in the direction d
// Adjoint: adj[x] += l(x^T, adj[y])
// Saves:   x
template <MatrixScalar Scalar>
DDX_DERIVATIVE_OF(matrix_exponential)
auto matrix_exponential_vjp(const Tensor<Scalar>& x, std::source_location where) {
  return detail::tensor_vjp(matrix_exponential(x, where), [x](const Tensor<Scalar>& dy) {
    return detail::exponential_along(matrix_transpose(x), dy);
  });
}

// Tangent: dy = l(x, dx)
template <MatrixScalar Scalar>
DDX_DERIVATIVE_OF(matrix_exponential)
auto matrix_exponential_jvp(const Tensor<Scalar>& x, std::source_location where,
                            const Tensor<Scalar>& dx) {
  return detail::tensor_jvp(matrix_exponential(x, where), dx, [&x](const Tensor<Scalar>& d) {
    return detail::exponential_along(x, d);
  });
}

}  // namespace ddx
