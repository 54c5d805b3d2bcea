/// \file
/// Reads attributes of operations.

#pragma once

#include "ddx/stablehlo/module.h"

#include "stablehlo/detail/cursor.h"

namespace ddx::stablehlo::detail {

/// The attribute that stands here, behind its name and "=".
[[nodiscard]] Attribute parse_attribute(Cursor& cursor);

}  // namespace ddx::stablehlo::detail
