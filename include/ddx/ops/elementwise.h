/// \file
/// The families Unary, Binary, ScaledSum, Comparison, Select and Cast.
///
/// Shape rules: Unary and Cast keep the shape; the others broadcast their operands
/// (ddx::broadcast).

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

namespace ddx::ops {

/// The reference kernel, or null where the operation is of another family or not defined for the
/// dtype.
[[nodiscard]] Kernel elementwise_reference(Op op, DType dtype) noexcept;

}  // namespace ddx::ops
