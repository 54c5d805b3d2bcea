/// \file
/// The reference kernels of all families.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

namespace ddx::ops {

/// The reference kernel of an operation: single-threaded, obviously right, sums in double. Null
/// where the operation is not defined for the dtype of its key operand. A back end may take it for
/// its own table.
[[nodiscard]] Kernel reference_kernel(Op op, DType dtype) noexcept;

}  // namespace ddx::ops
