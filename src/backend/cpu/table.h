/// \file
/// The kernels of the cpu back end as a table.

#pragma once

#include "ddx/backend/kernel_table.h"

#include "backend/cpu/isa.h"

namespace ddx::backend::cpu {

/// The table for an instruction set, which must not be above best_isa().
[[nodiscard]] KernelTable kernels_of(Isa isa);

}  // namespace ddx::backend::cpu
