/// \file
/// Systems of equations with triangular matrices.

#pragma once

#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/detail/linear_algebra.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/diagonal.h"
#include "ddx/tensor/matmul.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/tensor.h"

#include <source_location>
#include <tuple>

namespace ddx {

namespace detail {

/// The elements of the triangle that a system reads.
template <MatrixScalar Scalar>
Tensor<Scalar> triangle_of(const Tensor<Scalar>& x, const TriangularOptions& options) {
  const auto triangle = options.lower ? band_part(x, -1, 0) : band_part(x, 0, -1);
  return options.unit_diagonal ? triangle - band_part(x, 0, 0) : triangle;
}

/// The options for the transposed system.
inline TriangularOptions transposed_system(const TriangularOptions& options) {
  return {options.lower, !options.adjoint, options.unit_diagonal};
}

}  // namespace detail

/// The solution x of t x = b, with t the lower triangle of a matrix, or as the options say:
/// `triangular_solve(l, b, {.lower = true, .adjoint = true})`.
///
/// Shapes:   matrix [a..., n, n], rhs [b..., n, k] -> [c..., n, k]; c is what a and b broadcast to
/// Throws:   UsageError where a rank is below 2, the matrices are not square, the shapes or the
///           devices do not fit, or an element of the diagonal is 0.
/// Gradient: the solution of the transposed system to `rhs`; to the triangle that was read of
///           `matrix`, that times minus the solution.
/// Cost:     n^2 k multiplications for each matrix.
template <MatrixScalar Scalar>
[[nodiscard]] Tensor<Scalar> triangular_solve(
    const Tensor<Scalar>& matrix, const Tensor<Scalar>& rhs, const TriangularOptions& options = {},
    std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::triangular_solve(matrix.array(), rhs.array(), options, where));
}

// Primal:  t x = b
// Adjoint: t^T s = adj[x], adj[b] += s, adj[t] -= s x^T (of the transposed system: x s^T)
// Saves:   t, x
// Source:  M. B. Giles, "An extended collection of matrix derivative results for forward and
//          reverse mode algorithmic differentiation", 2008, section 2.3.1
template <MatrixScalar Scalar>
DDX_DERIVATIVE_OF(triangular_solve)
auto triangular_solve_vjp(const Tensor<Scalar>& matrix, const Tensor<Scalar>& rhs,
                          const TriangularOptions& options, std::source_location where) {
  auto x = triangular_solve(matrix, rhs, options, where);
  return detail::tensor_vjp(
      x, [matrix, x, to = rhs.shape(), options, where](const Tensor<Scalar>& dx, Wanted<2> wanted) {
        const auto s = triangular_solve(matrix, dx, detail::transposed_system(options), where);
        Tensor<Scalar> to_matrix;
        if (wanted[0]) {
          const auto product = options.adjoint ? matmul(x, s, {.transpose_right = true})
                                               : matmul(s, x, {.transpose_right = true});
          to_matrix = sum_to(-detail::triangle_of(product, options), matrix.shape());
        }
        return std::tuple(to_matrix, sum_to(s, to));
      });
}

// Tangent: t dx = db - dt x
template <MatrixScalar Scalar>
DDX_DERIVATIVE_OF(triangular_solve)
auto triangular_solve_jvp(const Tensor<Scalar>& matrix, const Tensor<Scalar>& rhs,
                          const TriangularOptions& options, std::source_location where,
                          const Tensor<Scalar>& d_matrix, const Tensor<Scalar>& d_rhs) {
  auto x = triangular_solve(matrix, rhs, options, where);
  Tensor<Scalar> change = d_rhs;
  if (!d_matrix.is_symbolic_zero()) {
    const auto triangle = broadcast_to(detail::triangle_of(d_matrix, options),
                                       detail::stretched_matrices(d_matrix.shape(), x.shape()));
    change = change - matmul(triangle, x, {.transpose_left = options.adjoint});
  }
  return ValueWithTangent<Tensor<Scalar>, Tensor<Scalar>>{
      x, change.is_symbolic_zero()
             ? Tensor<Scalar>()
             : broadcast_to(triangular_solve(matrix, change, options, where), x.shape())};
}

}  // namespace ddx
