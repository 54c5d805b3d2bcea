/// \file
/// Gathers slices of arrays.

#pragma once

#include "stablehlo/detail/builder.h"

#include <cstddef>

namespace ddx::stablehlo::detail {

/// The slices of x along an axis selected by the indices (i32), whose axes replace it. Requires
/// that the axis is not empty; an index outside is clamped.
[[nodiscard]] Value chosen(const Value& x, const Value& indices, std::size_t axis);

/// For each x [s, n, m] in a batch the rows in the order of its indices [s, k].
[[nodiscard]] Value chosen_rows(const Value& x, const Value& indices);

}  // namespace ddx::stablehlo::detail
