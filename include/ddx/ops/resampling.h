/// \file
/// The family Resampling: each element along an axis becomes a weighted sum of neighbours.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

namespace ddx::ops {

/// The reference kernel, or null where the operation is of another family or not defined for the
/// dtype.
///
/// With x [a..., n, b...] along the axis, `first` [m] of i32 and `weights` [m, k] of the dtype of
/// x, where 0 <= first_i <= n - k and first_i <= first_(i + 1): y [a..., m, b...] has y_i = sum_j
/// weights_ij x_(first_i + j). The gradient takes the cotangent in the place of x, and has its
/// shape along the axis.
[[nodiscard]] Kernel resampling_reference(Op op, DType dtype) noexcept;

}  // namespace ddx::ops
