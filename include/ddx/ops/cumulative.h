/// \file
/// The family Cumulative: results keep their operands' shape, which is one for all operands.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"
#include "ddx/ops/site.h"

namespace ddx::ops {

/// The shape of a recurrence y_i = a_i y_(i-1) + b_i.
///
/// Shapes:  a [...], b [...], equal -> [...]
/// Throws:  UsageError where they differ.
[[nodiscard]] Shape recurrence_shape(const Site& site, const Shape& a, const Shape& b);

/// The reference kernel, or null where the operation is of another family or not defined for the
/// dtype.
[[nodiscard]] Kernel cumulative_reference(Op op, DType dtype) noexcept;

}  // namespace ddx::ops
