/// \file
/// Which axes an operation works along.

#pragma once

#include "ddx/core/indices.h"
#include "ddx/core/shape.h"
#include "ddx/ops/site.h"

#include <cstdint>

namespace ddx::ops {

/// One bit for each of the axes; no axes: all of them.
///
/// Throws:  UsageError where an axis does not exist or is named twice.
[[nodiscard]] std::uint32_t axis_bits(const Site& site, const Shape& x, const Indices& axes);

}  // namespace ddx::ops
