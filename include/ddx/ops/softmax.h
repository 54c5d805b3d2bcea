/// \file
/// The families Softmax and CrossEntropy.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"
#include "ddx/ops/site.h"

namespace ddx::ops {

/// The shape of the losses: one per row of logits. Softmax keeps its operand's shape.
///
/// Shapes:  logits [n, c], labels [n] -> [n]
/// Throws:  UsageError where the ranks are not 2 and 1, or the rows differ.
[[nodiscard]] Shape cross_entropy_shape(const Site& site, const Shape& logits, const Shape& labels);

/// The reference kernel, or null where the operation is of another family or not defined for the
/// dtype.
[[nodiscard]] Kernel softmax_reference(Op op, DType dtype) noexcept;

}  // namespace ddx::ops
