/// \file
/// The families Convolution, Pooling and Morphology: windows that move over the axes between the
/// first (samples) and the last (channels), one to three of them.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"
#include "ddx/ops/site.h"

namespace ddx::ops {

/// The shape of a convolution's result.
///
/// Shapes:  input [n, x_i..., c], filter [k_i..., c / groups, f] ->
///          [n, (x_i + low_i + high_i - (k_i - 1) dilation_i - 1) / stride_i + 1 ..., f]
/// Throws:  UsageError where a rank is not that of the window, channels and groups do not fit, a
///          size, a stride, a dilation or the groups are not positive, padding is negative, or the
///          padded input is smaller than the filter's reach or has more than 2^48 elements.
[[nodiscard]] Shape convolution_shape(const Site& site, const Shape& input, const Shape& filter,
                                      const WindowAttributes& window);

/// The shape of a pooling's result.
///
/// Shapes:  input [n, x_i..., c] -> [n, (x_i + low_i + high_i - size_i) / stride_i + 1 ..., c]
/// Throws:  UsageError where the rank is not that of the window, a size or stride is not positive,
///          padding is negative or reaches the window's size, the padded input is smaller than the
///          window, or a window sees padding alone.
[[nodiscard]] Shape pool_shape(const Site& site, const Shape& input,
                               const WindowAttributes& window);

/// The shape of a dilation's or an erosion's result.
///
/// Shapes:  input [n, x_i..., c], filter [k_i..., c] -> as for convolution_shape, with c channels
/// Throws:  UsageError as for convolution_shape.
[[nodiscard]] Shape morphology_shape(const Site& site, const Shape& input, const Shape& filter,
                                     const WindowAttributes& window);

/// The reference kernel, or null where the operation is of another family or not defined for the
/// dtype.
[[nodiscard]] Kernel convolution_reference(Op op, DType dtype) noexcept;

/// The reference kernel, or null where the operation is of another family or not defined for the
/// dtype.
[[nodiscard]] Kernel pooling_reference(Op op, DType dtype) noexcept;

/// The reference kernel, or null where the operation is of another family or not defined for the
/// dtype.
[[nodiscard]] Kernel morphology_reference(Op op, DType dtype) noexcept;

}  // namespace ddx::ops
