/// \file
/// Products of matrices.

#pragma once

#include "ddx/ad/results.h"
#include "ddx/ad/vjp.h"
#include "ddx/tensor/complex.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/tensor.h"

#include <source_location>
#include <tuple>

namespace ddx {

/// The product of matrices, or of stacks of matrices. The leading axes broadcast as in NumPy:
/// aligned at the last one; those that are missing or have extent 1 are repeated.
///
/// Shapes:   a [..., m, k], b [..., k, n] -> [..., m, n]. A transposed operand is given as [..., k,
///           m] or [..., n, k].
/// Throws:   UsageError where an operand has rank < 2, the inner extents differ, the leading axes
///           do not broadcast, or devices differ.
/// Gradient: dy b^T to a, a^T dy to b, summed over what was repeated.
/// Cost:     an operand with leading axes other than those of the result is written out for them,
///           unless it is one matrix.
template <DifferentiableScalar Scalar>
[[nodiscard]] Tensor<Scalar> matmul(const Tensor<Scalar>& a, const Tensor<Scalar>& b,
                                    const MatmulOptions& options = {},
                                    std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::matmul(a.array(), b.array(), options, where));
}

namespace detail {

/// The cotangent of the left operand of a product.
template <DifferentiableScalar Scalar>
Tensor<Scalar> matmul_left_gradient(const Tensor<Scalar>& dy, const Shape& a,
                                    const Tensor<Scalar>& b, const MatmulOptions& options) {
  auto da =
      options.transpose_left
          ? ddx::matmul(b, dy, {.transpose_left = options.transpose_right, .transpose_right = true})
          : ddx::matmul(dy, b,
                        {.transpose_left = false, .transpose_right = !options.transpose_right});
  return sum_to(da, a);
}

/// The cotangent of the right operand of a product.
template <DifferentiableScalar Scalar>
Tensor<Scalar> matmul_right_gradient(const Tensor<Scalar>& dy, const Tensor<Scalar>& a,
                                     const Shape& b, const MatmulOptions& options) {
  if (b.rank() == 2 && a.rank() > 2 && !options.transpose_left) {
    // A stack times one matrix is one tall matrix times it: the sum over the stack is part of the
    // product.
    return matmul_right_gradient(reshape(dy, {-1, dy.shape()[dy.rank() - 1]}),
                                 reshape(a, {-1, a.shape()[a.rank() - 1]}), b, options);
  }
  auto db =
      options.transpose_right
          ? ddx::matmul(dy, a, {.transpose_left = true, .transpose_right = options.transpose_left})
          : ddx::matmul(a, dy,
                        {.transpose_left = !options.transpose_left, .transpose_right = false});
  return sum_to(db, b);
}

}  // namespace detail

// Primal:  y = a b
// Adjoint: adj[a] += adj[y] b^H, adj[b] += a^H adj[y]
// Saves:   a, b
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(matmul)
auto matmul_vjp(const Tensor<Scalar>& a, const Tensor<Scalar>& b, const MatmulOptions& options,
                std::source_location where) {
  return detail::tensor_vjp(
      matmul(a, b, options, where), [a, b, options](const Tensor<Scalar>& dy, Wanted<2> wanted) {
        return std::tuple(
            wanted[0] ? detail::matmul_left_gradient(dy, a.shape(), detail::conjugated(b), options)
                      : Tensor<Scalar>(),
            wanted[1] ? detail::matmul_right_gradient(dy, detail::conjugated(a), b.shape(), options)
                      : Tensor<Scalar>());
      });
}

// Tangent: da b + a db
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(matmul)
auto matmul_jvp(const Tensor<Scalar>& a, const Tensor<Scalar>& b, const MatmulOptions& options,
                std::source_location where, const Tensor<Scalar>& da, const Tensor<Scalar>& db) {
  const auto y = matmul(a, b, options, where);
  Tensor<Scalar> tangent;
  if (!da.is_symbolic_zero()) {
    ddx_accumulate(tangent, matmul(da, b, options, where));
  }
  if (!db.is_symbolic_zero()) {
    ddx_accumulate(tangent, matmul(a, db, options, where));
  }
  return ValueWithTangent<Tensor<Scalar>, Tensor<Scalar>>{y, tangent};
}

}  // namespace ddx
