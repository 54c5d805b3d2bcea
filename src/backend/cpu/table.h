/// \file
/// The kernels of the cpu back end as a table.

#pragma once

#include "ddx/backend/kernel_table.h"

#include "backend/cpu/level.h"

namespace ddx::backend::cpu {

/// The table for a level, which must not be above best_level().
[[nodiscard]] KernelTable kernels_of(Level level);

}  // namespace ddx::backend::cpu
