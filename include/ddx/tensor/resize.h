/// \file
/// Images in another size.

#pragma once

#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>

namespace ddx {

namespace detail {

/// Of what a resizing makes each row and each column.
struct ResizeTaps {
  Taps rows;
  Taps columns;
};

/// Throws:  UsageError, in the name of `operation`, as `resize`.
ResizeTaps resize_taps(const char* operation, const Shape& images, const ResizeOptions& options,
                       DType dtype, Device device, const std::source_location& where);

/// Weighted sums of neighbours along an axis.
template <FloatingScalar Scalar>
Tensor<Scalar> resample(const Tensor<Scalar>& x, const Taps& taps, std::int64_t axis) {
  return Tensor<Scalar>(resample(x.array(), taps, axis));
}

/// The cotangent of the operand of resample, which has the shape `x`.
template <FloatingScalar Scalar>
Tensor<Scalar> resample_gradient(const Tensor<Scalar>& dy, const Taps& taps, const Shape& x,
                                 std::int64_t axis) {
  return Tensor<Scalar>(resample_gradient(dy.array(), taps, x, axis));
}

// Primal:  y_i = sum_j w_ij x_(first_i + j)
// Adjoint: adj[x_(first_i + j)] += w_ij adj[y_i]
// Saves:   first, w
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(resample)
auto resample_vjp(const Tensor<Scalar>& x, const Taps& taps, std::int64_t axis) {
  return tensor_vjp(resample(x, taps, axis),
                    [taps, shape = x.shape(), axis](const Tensor<Scalar>& dy) {
                      return resample_gradient(dy, taps, shape, axis);
                    });
}

// Primal:  x_(first_i + j) = the sum of w_ij y_i
// Adjoint: adj[y_i] += sum_j w_ij adj[x_(first_i + j)]
// Saves:   first, w
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(resample_gradient)
auto resample_gradient_vjp(const Tensor<Scalar>& dy, const Taps& taps, const Shape& x,
                           std::int64_t axis) {
  return tensor_vjp(resample_gradient(dy, taps, x, axis),
                    [taps, axis](const Tensor<Scalar>& dx) { return resample(dx, taps, axis); });
}

}  // namespace detail

/// Images in another size. The centre of point i lies at i + 1/2, unless corners are aligned.
///
/// Beyond the border, the last points go on for Bilinear and Bicubic without antialiasing and for
/// Area; in all other cases nothing counts there. The cubic kernel has a = -3/4, with antialiasing
/// a = -1/2. Area with aligned corners takes [i s, (i + 1) s) with s = (in - 1) / (out - 1).
///
/// Shapes:   images [n, h, w, c] -> [n, height, width, c], or [h, w, c] -> [height, width, c]
/// Throws:   UsageError where the rank is another, a size is below 1, an image has no point,
///           antialiasing is asked for with Nearest, Area or aligned corners, or aligned corners
///           for another interpolation than Nearest, Bilinear, Bicubic and Area.
/// Gradient: the transposed map of the cotangent.
/// Cost:     linear in the points, times the width of the kernel; first the columns, then the rows.
/// Source:   R. Keys, "Cubic convolution interpolation for digital image processing", 1981.
///           D. Mitchell, A. Netravali, "Reconstruction filters in computer graphics", 1988.
///           Conventions: PyTorch, interpolate; for Area, Lanczos and Gaussian TensorFlow,
///           tf.image.resize and resize_area.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> resize(const Tensor<Scalar>& images, const ResizeOptions& options,
                                    std::source_location where = std::source_location::current()) {
  const detail::ResizeTaps taps = detail::resize_taps("resize", images.shape(), options,
                                                      dtype_of<Scalar>, images.device(), where);
  const auto columns = static_cast<std::int64_t>(images.rank()) - 2;
  return detail::resample(detail::resample(images, taps.columns, columns), taps.rows, columns - 1);
}

}  // namespace ddx
