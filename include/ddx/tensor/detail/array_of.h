/// \file
/// Numbers computed on the host as an untyped array.

#pragma once

#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/detail/array.h"

#include <vector>

namespace ddx::detail {

/// The numbers, in row-major order, rounded to a floating or complex element type. No gradient
/// flows through it: a tensor made of the result is a constant. Requires one number per element of
/// the shape.
Array array_of(const std::vector<double>& numbers, const Shape& shape, DType dtype, Device device);

}  // namespace ddx::detail
