/// \file
/// Operations between devices.

#pragma once

#include "ddx/stablehlo/emitter.h"

#include "stablehlo/detail/builder.h"

namespace ddx::stablehlo::detail {

/// A value after a collective operation. Groups name devices if the program has partitions,
/// otherwise replicas.
///
/// Throws:  UsageError if the groups, the axis or the extents do not fit.
[[nodiscard]] Value communicated(const Value& x, const Collective& collective, bool partitioned);

}  // namespace ddx::stablehlo::detail
