/// \file
/// Vectors that lie along the last axis of arrays, and orthonormal ones.

#pragma once

#include "stablehlo/detail/builder.h"

namespace ddx::stablehlo::detail {

/// The Euclidean lengths, without overflow on the way.
///
/// Shapes:  x [..., n] -> [...]
[[nodiscard]] Value lengths(const Value& x);

/// 1 or -1 for each vector: what makes it point the agreed way (see src/ops/detail/orthonormal.h).
///
/// Shapes:  x [..., n] -> [...]
[[nodiscard]] Value orientation(const Value& x);

/// A vector of each matrix of a stack without its parts along the columns of q, which are
/// orthonormal or zero; twice, as once leaves too much. And those parts.
///
/// Shapes:  x [s, m], q [s, m, k] -> [s, m] and [s, k]
struct Projected {
  Value rest;
  Value parts;
};
[[nodiscard]] Projected without_projections(const Value& x, const Value& q);

/// A unit vector orthogonal to the columns of q, which are orthonormal or zero: from the axis that
/// is farthest from their span, turned the agreed way.
///
/// Shapes:  q [s, m, k] -> [s, m]
[[nodiscard]] Value orthonormal_vector(const Value& q);

/// The index of the first element that holds, along the last axis; its extent where none does.
///
/// Shapes:  condition [..., n] -> [...]
[[nodiscard]] Value first_place(const Value& condition);

/// Matrices [..., n, m] as a stack [s, n, m].
[[nodiscard]] Value stack_of(const Value& x);

/// Of a stack of matrices [s, m, k], column j (a number) as vectors [s, m]; and with another one.
[[nodiscard]] Value column(const Value& x, const Value& j);
[[nodiscard]] Value with_column(const Value& x, const Value& j, const Value& vector);

}  // namespace ddx::stablehlo::detail
