/// \file
/// Reductions of truth values.

#pragma once

#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

namespace ddx::backend::cpu {

/// The kernel of `all` or `any`, or null for other operations.
[[nodiscard]] ops::Kernel logic_kernel(ops::Op op) noexcept;

}  // namespace ddx::backend::cpu
