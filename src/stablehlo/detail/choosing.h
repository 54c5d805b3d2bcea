/// \file
/// Slices of arrays, chosen by indices.

#pragma once

#include "stablehlo/detail/builder.h"

#include <cstddef>

namespace ddx::stablehlo::detail {

/// The slices of x along an axis that the indices (i32) choose; their axes stand in its place.
/// Requires that the axis is not empty; an index outside of it counts as the nearest inside.
[[nodiscard]] Value chosen(const Value& x, const Value& indices, std::size_t axis);

/// Of each x [s, n, m] in a stack the rows in the order that its indices [s, k] say.
[[nodiscard]] Value chosen_rows(const Value& x, const Value& indices);

}  // namespace ddx::stablehlo::detail
