/// \file
/// The families Convolution and Pooling: windows that move over the two middle axes of NHWC arrays.

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
/// Shapes:  input [n, h, w, c], filter [kh, kw, c, f] -> [n, (h + top + bottom - kh) / sh + 1,
/// likewise, f] Throws:  UsageError where a rank is not 4, channels differ, the window and the
/// attributes' size differ, a stride is not
///          positive, padding is negative, or the padded input is smaller than the filter.
[[nodiscard]] Shape conv2d_shape(const Site& site, const Shape& input, const Shape& filter,
                                 const WindowAttributes& window);

/// The shape of a pooling's result.
///
/// Shapes:  input [n, h, w, c] -> [n, (h + top + bottom - height) / sh + 1, likewise, c]
/// Throws:  UsageError where the rank is not 4, a size or stride is not positive, padding is
/// negative or reaches the window's size,
///          or the padded input is smaller than the window.
[[nodiscard]] Shape pool2d_shape(const Site& site, const Shape& input,
                                 const WindowAttributes& window);

/// The reference kernel, or null where the operation is of another family or not defined for the
/// dtype.
[[nodiscard]] Kernel convolution_reference(Op op, DType dtype) noexcept;

/// The reference kernel, or null where the operation is of another family or not defined for the
/// dtype.
[[nodiscard]] Kernel pooling_reference(Op op, DType dtype) noexcept;

}  // namespace ddx::ops
