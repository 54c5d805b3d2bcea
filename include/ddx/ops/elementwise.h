/// \file
/// The families Unary, Binary, ScaledSum, Comparison, Predicate, Select and Cast.
///
/// Shape rules: Unary, Predicate and Cast keep the shape; the others broadcast their operands
/// (ddx::broadcast).

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

namespace ddx::ops {

/// The largest order that polygamma knows.
inline constexpr int most_polygamma_order = 100;

/// The reference kernel, or null where the operation is of another family or not defined for the
/// dtype.
[[nodiscard]] Kernel elementwise_reference(Op op, DType dtype) noexcept;

}  // namespace ddx::ops
