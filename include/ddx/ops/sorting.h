/// \file
/// The family Sorting: the order of the elements along the last axis.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

namespace ddx::ops {

/// The reference kernel, or null where the operation is of another family.
[[nodiscard]] Kernel sorting_reference(Op op, DType dtype) noexcept;

}  // namespace ddx::ops
