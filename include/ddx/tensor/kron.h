/// \file
/// All products of the elements of two vectors or of two matrices.

#pragma once

#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/axes.h"
#include "ddx/tensor/detail/linear_algebra.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/tensor.h"

#include <source_location>

namespace ddx {

namespace detail {
/// The shapes between which a Kronecker product moves: each operand with axes of extent 1 for the
/// other's, and the result.
struct KroneckerShapes {
  Indices left;
  Indices right;
  Indices result;
};
KroneckerShapes kronecker_shapes(const Shape& a, const Shape& b, const std::source_location& where);
}  // namespace detail

/// The matrix of all products a_i b_j.
///
/// Shapes:   a [s..., n], b [t..., m] -> [u..., n, m]; u is what s and t broadcast to
/// Throws:   UsageError where the leading axes do not broadcast, or a result has too high a rank.
/// Gradient: dy b to a, a dy to b.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> outer(const Tensor<Scalar>& a, const Tensor<Scalar>& b,
                                   std::source_location where = std::source_location::current()) {
  return expand_dims(a, -1, where) * expand_dims(b, -2, where);
}

/// The Kronecker product: `a` with each element replaced by that element times `b`.
///
/// Shapes:   a [s..., n, m], b [t..., p, q] -> [u..., n p, m q]; u is what s and t broadcast to
/// Throws:   UsageError where a rank is below 2, the leading axes do not broadcast, or their number
///           is above 4.
/// Gradient: dy times the other operand, summed.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> kron(const Tensor<Scalar>& a, const Tensor<Scalar>& b,
                                  std::source_location where = std::source_location::current()) {
  const detail::KroneckerShapes shapes = detail::kronecker_shapes(a.shape(), b.shape(), where);
  return reshape(reshape(a, shapes.left) * reshape(b, shapes.right), shapes.result);
}

}  // namespace ddx
