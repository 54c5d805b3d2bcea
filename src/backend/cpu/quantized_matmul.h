/// \file
/// The kernel of products with quantised matrices.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

namespace ddx::backend::cpu {

/// The kernel of quantized_matmul, or null where there is none.
[[nodiscard]] ops::Kernel quantized_kernel(ops::Op op, DType dtype) noexcept;

}  // namespace ddx::backend::cpu
