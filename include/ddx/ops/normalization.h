/// \file
/// The family Normalization.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"
#include "ddx/ops/site.h"

#include <initializer_list>

namespace ddx::ops {

/// The shape of the channels of `x`: its last extent.
///
/// Shapes:  x [..., c], each of `per_channel` [c]
/// Throws:  UsageError where `x` has rank 0, or a shape of `per_channel` differs.
[[nodiscard]] Shape channel_shape(const Site& site, const Shape& x,
                                  std::initializer_list<const Shape*> per_channel);

/// The shape of one value per row: all extents but the last.
///
/// Shapes:  x [..., c], of rank 1 or more -> [...]
[[nodiscard]] Shape row_shape(const Shape& x) noexcept;

/// The reference kernel, or null where the operation is of another family or not defined for the
/// dtype.
[[nodiscard]] Kernel normalization_reference(Op op, DType dtype) noexcept;

}  // namespace ddx::ops
