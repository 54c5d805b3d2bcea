/// \file
/// The family Sorting.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

namespace ddx::backend::cpu {

/// The kernel of argsort for elements of 4 bytes or less, or null for others.
[[nodiscard]] ops::Kernel sorting_kernel(ops::Op op, DType dtype) noexcept;

}  // namespace ddx::backend::cpu
