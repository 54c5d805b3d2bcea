/// \file
/// Diagonals and triangles of the last two axes.

#pragma once

#include "ddx/core/shape.h"
#include "ddx/tensor/axes.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/indexing.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>

namespace ddx {

namespace detail {

/// Rows and columns of the last two axes.
///
/// Throws:  UsageError where there are no two axes.
struct MatrixExtents {
  std::int64_t rows;
  std::int64_t columns;
};
MatrixExtents matrix_extents(const char* operation, const Shape& shape,
                             const std::source_location& where);
/// As above; throws too where they differ.
MatrixExtents square_extents(const char* operation, const Shape& shape,
                             const std::source_location& where);

/// True where -lower <= column - row <= upper; a negative bound is none.
Tensor<bool> band(std::int64_t rows, std::int64_t columns, std::int64_t lower, std::int64_t upper,
                  Device device, const std::source_location& where);

/// The shape with the last two axes joined, and the places of the diagonal along the joined one.
///
/// Throws:  UsageError where places are not numbers of 32 bits.
Indices joined_matrix(const Shape& shape);
Tensor<std::int32_t> diagonal_places(const MatrixExtents& extents, Device device,
                                     const std::source_location& where);

}  // namespace detail

/// Ones on the diagonal, zeros elsewhere.
///
/// Shapes:  -> [rows, columns]; without columns, as many as rows
/// Throws:  UsageError where an extent is negative, or there are more rows than indices of 32 bits
///          count.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> eye(std::int64_t rows, std::int64_t columns = -1, Device device = {},
                                 std::source_location where = std::source_location::current()) {
  const std::int64_t width = columns < 0 ? rows : columns;
  if (rows >= 0) {
    (void)Shape({rows, width}, where);  // Before numbers are made for so many rows.
  }
  return one_hot<Scalar>(iota<std::int32_t>(rows, device, where), width, where);
}

/// The elements (i, i) of each matrix.
///
/// Shapes:   x [a..., n, m] -> [a..., min(n, m)]
/// Throws:   UsageError where the rank is below 2, or a matrix has more elements than indices of 32
///           bits count.
/// Gradient: the cotangent on the diagonal of zeros.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> diagonal_part(
    const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) {
  const detail::MatrixExtents extents = detail::matrix_extents("diagonal_part", x.shape(), where);
  return gather(reshape(x, detail::joined_matrix(x.shape()), where),
                detail::diagonal_places(extents, x.device(), where), -1, where);
}

/// Square matrices of zeros with these diagonals.
///
/// Shapes:   x [a..., n] -> [a..., n, n]
/// Throws:   UsageError where `x` is a scalar or has too high a rank.
/// Gradient: the diagonal of the cotangent.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> diagonal(
    const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) {
  const auto columns = expand_dims(x, -2, where);
  const std::int64_t n = columns.shape()[columns.rank() - 1];
  return select(detail::band(n, n, 0, 0, x.device(), where), columns, zeros<Scalar>({}, x.device()),
                where);
}

/// `x` with another diagonal.
///
/// Shapes:   x [a..., n, n], diagonal [a..., n] -> [a..., n, n]
/// Throws:   UsageError where the rank is below 2, the matrices are not square, or the shapes do
///           not fit.
/// Gradient: the cotangent without its diagonal to `x`, its diagonal to `diagonal`.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> with_diagonal(
    const Tensor<Scalar>& x, const Tensor<Scalar>& diagonal,
    std::source_location where = std::source_location::current()) {
  const detail::MatrixExtents extents = detail::square_extents("with_diagonal", x.shape(), where);
  return select(detail::band(extents.rows, extents.columns, 0, 0, x.device(), where),
                broadcast_to(expand_dims(diagonal, -2, where), x.shape(), where), x, where);
}

/// The elements of each matrix on the diagonal, on `lower` diagonals below it and on `upper` above
/// it; the others become zero. A negative number: all of them. `band_part(x, -1, 0)` is the lower
/// triangle.
///
/// Shapes:   x [a..., n, m] -> [a..., n, m]
/// Throws:   UsageError where the rank is below 2.
/// Gradient: the same elements of the cotangent.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> band_part(
    const Tensor<Scalar>& x, std::int64_t lower, std::int64_t upper,
    std::source_location where = std::source_location::current()) {
  const detail::MatrixExtents extents = detail::matrix_extents("band_part", x.shape(), where);
  return select(detail::band(extents.rows, extents.columns, lower, upper, x.device(), where), x,
                zeros<Scalar>({}, x.device()), where);
}

/// The sum of the diagonal of each matrix.
///
/// Shapes:   x [a..., n, m] -> [a...]
/// Throws:   UsageError where the rank is below 2.
/// Gradient: the cotangent on the diagonal of zeros.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> trace(const Tensor<Scalar>& x,
                                   std::source_location where = std::source_location::current()) {
  return sum(diagonal_part(x, where), {.axes = {-1}}, where);
}

}  // namespace ddx
