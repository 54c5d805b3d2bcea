/// \file
/// The families Reduction and ArgReduction.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/core/indices.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/movement.h"
#include "ddx/ops/op.h"
#include "ddx/ops/site.h"

#include <cstdint>

namespace ddx::ops {

/// The shape without the reduced axes, or with extent 1 there. No axes: all of them.
///
/// Throws:  UsageError where an axis does not exist or is named twice; for max and min also where
///          nothing is reduced to something.
[[nodiscard]] Resolved<ReductionAttributes> reduction_shape(const Site& site, Op op, const Shape& x,
                                                            const Indices& axes, bool keep_dims);

/// The shape without the axis.
///
/// Throws:  UsageError where the axis does not exist, is empty, or has more elements than indices
///          of 32 bits count.
[[nodiscard]] Resolved<AxisAttributes> arg_reduction_shape(const Site& site, const Shape& x,
                                                           std::int64_t axis);

/// The reference kernel, or null where the operation is of another family or not defined for the
/// dtype.
[[nodiscard]] Kernel reduction_reference(Op op, DType dtype) noexcept;

}  // namespace ddx::ops
