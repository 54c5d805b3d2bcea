/// \file
/// The family LinearAlgebra: factorisations of stacks of matrices, and triangular systems.
///
/// What the kernels compute, for each matrix a of a stack:
///
///   cholesky          the lower triangle l with l l^T = a, of the lower triangle of a. Where a
///                     leading minor is not positive, that row of the triangle and those below it
///                     are NaN.
///   lu                p a = l u with partial pivoting. Results: l below the diagonal (its own is
///                     1) and u above in one array, and the rows of a in their new order (i32)
///   triangular_solve  x with t x = b, t the triangle that the attributes name
///   qr                q r = a, the diagonal of r not negative. The shape of q says whether it is
///                     complete
///   svd               u, s, v with u diag(s) v^T = a, s descending; u complete or not by its shape
///   svdvals           s alone
///   eigh              values ascending and vectors (as columns) of the lower triangle of a
///   eigvalsh          the values alone
///
/// Where only the sign of a vector is free, it is chosen by detail::orient: so all back ends agree.
/// svd, svdvals, eigh and eigvalsh are for finite elements; without memory they give NaN.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"
#include "ddx/ops/site.h"

#include <algorithm>
#include <cstdint>
#include <string>

namespace ddx::ops {

/// A stack of matrices as numbers.
struct MatrixStack {
  std::int64_t stack = 1;
  std::int64_t rows = 0;
  std::int64_t columns = 0;

  /// The elements of one matrix.
  [[nodiscard]] std::int64_t matrix() const noexcept { return rows * columns; }
  /// The smaller one of the extents.
  [[nodiscard]] std::int64_t smaller() const noexcept { return std::min(rows, columns); }
};

/// The last two axes of a shape of rank 2 or more, and how often they occur.
[[nodiscard]] MatrixStack matrix_stack(const Shape& x) noexcept;

/// As above.
///
/// Throws:  UsageError where the rank is below 2.
[[nodiscard]] MatrixStack checked_matrices(const Site& site, const Shape& x);

/// As above.
///
/// Throws:  UsageError where the rank is below 2, or the matrices are not square.
[[nodiscard]] MatrixStack checked_square(const Site& site, const Shape& x);

/// The shape of as many matrices of other extents, or of vectors.
///
/// Shapes:  x [a..., n, m] -> [a..., rows, columns] or [a..., extent]
[[nodiscard]] Shape with_matrices(const Shape& x, std::int64_t rows, std::int64_t columns);
[[nodiscard]] Shape with_vectors(const Shape& x, std::int64_t extent);

/// Checks the operands of a system of equations.
///
/// Shapes:  matrix [a..., n, n], rhs [a..., n, k]
/// Throws:  UsageError where a rank is below 2, the matrices are not square, or the rows or the
///          leading axes differ.
void check_system(const Site& site, const Shape& matrix, const Shape& rhs);

/// The place of a matrix in its stack, for messages: " [1, 0]", or nothing where there is no stack.
[[nodiscard]] std::string place_in_stack(const Shape& x, std::int64_t matrix);

/// The reference kernel, or null where the operation is of another family or not defined for the
/// dtype.
[[nodiscard]] Kernel linear_algebra_reference(Op op, DType dtype) noexcept;

}  // namespace ddx::ops
