/// \file
/// The operations of linear algebra on untyped arrays; see detail/operations.h. Operands of systems
/// of equations are stretched along their leading axes.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/core/indices.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/options.h"

#include <array>
#include <concepts>
#include <cstdint>
#include <source_location>

namespace ddx {

/// The element types of linear algebra: f32 and f64.
template <class T>
concept MatrixScalar = FloatingScalar<T> && std::floating_point<T>;

}  // namespace ddx

namespace ddx::detail {

/// A square matrix as a product of triangles with its rows in another order: what a system of
/// equations is solved with. Not what a derivative follows: that goes by the matrix itself.
struct LuFactors {
  using DdxHoldsNoReals = void;

  Array packed;  ///< Both triangles; see ops/linear_algebra.h.
  Array order;   ///< Of the rows; i32.
};

/// Throws:  UsageError where the matrices are not square.
LuFactors lu(const char* operation, const Array& a, const std::source_location& where);
/// As above; throws too where a pivot is zero.
LuFactors regular_lu(const char* operation, const Array& a, const std::source_location& where);
/// Whether a pivot of a matrix is so small beside another that its inverse would be inaccurate.
bool is_nearly_singular(const LuFactors& factors);

/// x with a x = b, or with the transposed matrix.
Array solve_by(const LuFactors& factors, const Array& b, bool transposed,
               const std::source_location& where);
Array inverse(const Array& a, const std::source_location& where);
Array determinant(const Array& a, const std::source_location& where);
/// Signs, and logarithms of absolute values, of determinants.
std::array<Array, 2> sign_and_log(const Array& a, const std::source_location& where);

Array triangular_solve(const Array& matrix, const Array& rhs, const TriangularOptions& options,
                       const std::source_location& where);
Array cholesky(const Array& x, const std::source_location& where);
/// q and r.
std::array<Array, 2> qr(const Array& x, bool full, const std::source_location& where);
/// u, s and v.
std::array<Array, 3> svd(const Array& x, bool full, const std::source_location& where);
Array svdvals(const Array& x, const std::source_location& where);
/// Values and vectors.
std::array<Array, 2> eigh(const Array& x, const std::source_location& where);
Array eigvalsh(const Array& x, const std::source_location& where);
Array matrix_exponential(const Array& x, const std::source_location& where);

/// Throws:  UsageError where the factors are complete, and not square: then they are not functions
///          of the matrix that could be differentiated.
void check_unique(const char* operation, const Shape& x, bool full,
                  const std::source_location& where);

/// Throws:  UsageError that names two of the sorted values of a matrix that are equal up to
///          rounding: then its vectors have no derivative.
void check_distinct(const char* operation, const Array& values, const std::source_location& where);
/// Throws:  UsageError that names the least of the descending values of a matrix if it is zero up
///          to rounding: then the vectors on its longer side have no derivative.
void check_positive(const char* operation, const Array& values, const std::source_location& where);

/// Throws:  UsageError where the operands do not fit each other.
void check_least_squares(const Shape& a, const Shape& b, const std::source_location& where);
/// Which part of the largest singular value counts as zero.
double rank_tolerance(const Shape& x, DType dtype, const RankOptions& options);

/// The shape of matrices of `x` stretched along the leading axes of `to`.
Shape stretched_matrices(const Shape& x, const Shape& to);
/// Rows up to n, columns from n on.
SliceOptions upper_right(const Shape& x, std::int64_t n);
/// The columns [first, past) of matrices of this shape.
SliceOptions column_range(const Shape& x, std::int64_t first, std::int64_t past);

/// The order of axes that exchanges the last two.
///
/// Throws:  UsageError where there are no two.
Indices exchanged_last_axes(const char* operation, const Shape& x,
                            const std::source_location& where);

}  // namespace ddx::detail
