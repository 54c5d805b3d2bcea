/// \file
/// Operations between devices.

#pragma once

#include "ddx/stablehlo/emitter.h"

#include "stablehlo/detail/builder.h"

namespace ddx::stablehlo::detail {

/// A value after a collective operation. Where a program has partitions, groups name devices, and
/// otherwise replicas.
///
/// Throws:  UsageError where the groups, the axis or the extents do not fit.
[[nodiscard]] Value communicated(const Value& x, const Collective& collective, bool partitioned);

}  // namespace ddx::stablehlo::detail
