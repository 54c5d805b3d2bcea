/// \file
/// Vectors along the last axis of arrays, and orthonormal ones.

#pragma once

#include "stablehlo/detail/builder.h"

namespace ddx::stablehlo::detail {

/// The Euclidean lengths, without intermediate overflow.
///
/// Shapes:  x [..., n] -> [...]
[[nodiscard]] Value lengths(const Value& x);

/// 1 or -1 for each vector: the sign that gives it the agreed direction (see
/// src/ops/detail/orthonormal.h).
///
/// Shapes:  x [..., n] -> [...]
[[nodiscard]] Value orientation(const Value& x);

/// A vector of each matrix of a batch without its components along the columns of q, which are
/// orthonormal or zero; subtracted twice, as once leaves too much. And those components.
///
/// Shapes:  x [s, m], q [s, m, k] -> [s, m] and [s, k]
struct Projected {
  Value rest;
  Value parts;
};
[[nodiscard]] Projected without_projections(const Value& x, const Value& q);

/// A unit vector orthogonal to the columns of q, which are orthonormal or zero: from the axis that
/// is farthest from their span, in the agreed direction.
///
/// Shapes:  q [s, m, k] -> [s, m]
[[nodiscard]] Value orthonormal_vector(const Value& q);

/// The index of the first true element along the last axis; its extent if there is none.
///
/// Shapes:  condition [..., n] -> [...]
[[nodiscard]] Value first_place(const Value& condition);

/// Matrices [..., n, m] as a batch [s, n, m].
[[nodiscard]] Value stack_of(const Value& x);

/// Column j (a number) of a batch of matrices [s, m, k] as vectors [s, m]; and the batch with
/// another column j.
[[nodiscard]] Value column(const Value& x, const Value& j);
[[nodiscard]] Value with_column(const Value& x, const Value& j, const Value& vector);

}  // namespace ddx::stablehlo::detail
