/// \file
/// Systems of equations with square matrices, and inverses.

#pragma once

#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/detail/linear_algebra.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/matmul.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/tensor.h"

#include <source_location>
#include <tuple>

namespace ddx {

namespace detail {

/// The factors of `a`. As a function of `a` they are not differentiated: see `solve_by`.
template <MatrixScalar Scalar>
LuFactors regular_lu(const char* operation, const Tensor<Scalar>& a, std::source_location where) {
  return regular_lu(operation, static_cast<const Array&>(a.array()), where);
}

/// x with a x = b, or with a transposed, by the factors of `a`.
template <MatrixScalar Scalar>
Tensor<Scalar> solve_by(const Tensor<Scalar>&, const LuFactors& factors, const Tensor<Scalar>& b,
                        bool transposed, std::source_location where) {
  return Tensor<Scalar>(solve_by(factors, static_cast<const Array&>(b.array()), transposed, where));
}

// Primal:  a x = b
// Adjoint: a^T s = adj[x], adj[b] += s, adj[a] -= s x^T (of the transposed system: x s^T)
// Saves:   the factors of a, x
// Source:  Giles, 2008, section 2.3.1
template <MatrixScalar Scalar>
DDX_DERIVATIVE_OF(solve_by)
auto solve_by_vjp(const Tensor<Scalar>& a, const LuFactors& factors, const Tensor<Scalar>& b,
                  bool transposed, std::source_location where) {
  auto x = solve_by(a, factors, b, transposed, where);
  return tensor_vjp(x, [a, factors, x, to = b.shape(), transposed, where](const Tensor<Scalar>& dx,
                                                                          Wanted<2> wanted) {
    const auto s = solve_by(a, factors, dx, !transposed, where);
    Tensor<Scalar> to_a;
    if (wanted[0]) {
      const auto product = transposed ? ddx::matmul(x, s, {.transpose_right = true})
                                      : ddx::matmul(s, x, {.transpose_right = true});
      to_a = sum_to(-product, a.shape());
    }
    return std::tuple(to_a, sum_to(s, to));
  });
}

// Tangent: a dx = db - da x
template <MatrixScalar Scalar>
DDX_DERIVATIVE_OF(solve_by)
auto solve_by_jvp(const Tensor<Scalar>& a, const LuFactors& factors, const Tensor<Scalar>& b,
                  bool transposed, std::source_location where, const Tensor<Scalar>& da,
                  const Tensor<Scalar>& db) {
  auto x = solve_by(a, factors, b, transposed, where);
  Tensor<Scalar> change = db;
  if (!da.is_symbolic_zero()) {
    const auto moved = broadcast_to(da, stretched_matrices(da.shape(), x.shape()));
    change = change - ddx::matmul(moved, x, {.transpose_left = transposed});
  }
  return ValueWithTangent<Tensor<Scalar>, Tensor<Scalar>>{
      x, change.is_symbolic_zero()
             ? Tensor<Scalar>()
             : broadcast_to(solve_by(a, factors, change, transposed, where), x.shape())};
}

}  // namespace detail

/// The solution x of a x = b, by elimination with partial pivoting.
///
/// Shapes:   a [s..., n, n], b [t..., n, k] -> [u..., n, k]; u is what s and t broadcast to
/// Throws:   UsageError where a rank is below 2, the matrices are not square, the shapes or the
///           devices do not fit, or a matrix is singular: names that matrix and the pivot that is
///           zero.
/// Gradient: the solution s of the transposed system to `b`, -s x^T to `a`; the factors are kept.
/// Cost:     n^3 / 3 + n^2 k multiplications for each matrix.
template <MatrixScalar Scalar>
[[nodiscard]] Tensor<Scalar> solve(const Tensor<Scalar>& a, const Tensor<Scalar>& b,
                                   std::source_location where = std::source_location::current()) {
  const detail::LuFactors factors = detail::regular_lu("solve", a, where);
  return detail::solve_by(a, factors, b, false, where);
}

/// The inverse of each matrix. To solve a system, `solve` is faster and more accurate.
///
/// Shapes:   x [a..., n, n] -> [a..., n, n]
/// Throws:   UsageError where the rank is below 2, the matrices are not square, or one is singular:
///           names that matrix and the pivot that is zero.
/// Gradient: -y^T dy y^T, y the inverse.
/// Cost:     n^3 multiplications for each matrix.
template <MatrixScalar Scalar>
[[nodiscard]] Tensor<Scalar> inverse(const Tensor<Scalar>& x,
                                     std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::inverse(x.array(), where));
}

// Primal:  y = x^-1
// Adjoint: adj[x] -= y^T adj[y] y^T
// Saves:   y
// Source:  Giles, 2008, section 2.2.3
template <MatrixScalar Scalar>
DDX_DERIVATIVE_OF(inverse)
auto inverse_vjp(const Tensor<Scalar>& x, std::source_location where) {
  auto y = inverse(x, where);
  return detail::tensor_vjp(y, [y](const Tensor<Scalar>& dy) {
    return -matmul(matmul(y, dy, {.transpose_left = true}), y, {.transpose_right = true});
  });
}

// Tangent: dy = -y dx y
template <MatrixScalar Scalar>
DDX_DERIVATIVE_OF(inverse)
auto inverse_jvp(const Tensor<Scalar>& x, std::source_location where, const Tensor<Scalar>& dx) {
  const auto y = inverse(x, where);
  return detail::tensor_jvp(y, dx,
                            [&y](const Tensor<Scalar>& d) { return -matmul(matmul(y, d), y); });
}

}  // namespace ddx
