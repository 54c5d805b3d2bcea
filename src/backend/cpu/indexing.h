/// \file
/// The family Indexing for elements of any type.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

namespace ddx::backend::cpu {

/// The kernel of an operation for an element type, or null where it is of another family or has
/// none here.
[[nodiscard]] ops::Kernel indexing_kernel(ops::Op op, DType dtype) noexcept;

}  // namespace ddx::backend::cpu
