/// \file
/// How an operand broadcasts to the shape of an elementwise operation.

#pragma once

#include "ddx/core/shape.h"

namespace ddx::ir::detail {

/// Whether a shape is the last axes of another one, perhaps after extents of 1: one row for all.
[[nodiscard]] bool is_row_of(const Shape& shape, const Shape& loop);

/// Whether a shape is the first axes of another one, with extent 1 along the others: one element
/// for each row.
[[nodiscard]] bool is_column_of(const Shape& shape, const Shape& loop);

}  // namespace ddx::ir::detail
