/// \file
/// Complex arrays as real ones with one more axis. What is linear over the real numbers is computed
/// so by the kernels of real elements.

#pragma once

#include "ddx/core/shape.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/tangent_arrays.h"

namespace ddx::detail {

/// The shape with an axis of extent 2 behind the others.
///
/// Throws:  UsageError where that is one axis too many.
[[nodiscard]] Shape shape_of_pairs(const Shape& shape);

/// The complex array whose parts are the last axis; shares storage.
[[nodiscard]] Array from_pairs(Array pairs);

}  // namespace ddx::detail
