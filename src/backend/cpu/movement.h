/// \file
/// The families Movement, Update and Concatenation for elements of any type.

#pragma once

#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

namespace ddx::backend::cpu {

/// The kernel of an operation, or null where it is of another family.
[[nodiscard]] ops::Kernel movement_kernel(ops::Op op) noexcept;

}  // namespace ddx::backend::cpu
