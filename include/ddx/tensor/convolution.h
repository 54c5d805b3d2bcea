/// \file
/// Convolutions of signals, images and volumes. Samples come first, channels last.

#pragma once

#include "ddx/tensor/detail/convolve.h"
#include "ddx/tensor/detail/window_motion.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/tensor.h"

#include <source_location>

namespace ddx {

/// Slides a filter over signals (as is usual, without mirroring it).
///
/// Shapes:   input [n, x, c], filter [k, c / groups, f] ->
///           [n, (x + before + after - (k - 1) dilation - 1) / stride + 1, f]
/// Throws:   UsageError as for conv2d.
/// Gradient: to both operands, each computed only where wanted.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> conv1d(const Tensor<Scalar>& input, const Tensor<Scalar>& filter,
                                    const Conv1DOptions& options = {},
                                    std::source_location where = std::source_location::current()) {
  return detail::convolution(input, filter, detail::motion_of("conv1d", options), where);
}

/// Slides a filter over images (as is usual, without mirroring it). With groups, output channel f
/// sees the input channels of its own group alone: of the group f / (filters / groups).
///
/// Shapes:   input [n, h, w, c], filter [kh, kw, c / groups, f] ->
///           [n, (h + top + bottom - (kh - 1) dilation - 1) / sh + 1, likewise, f]
/// Throws:   UsageError where an operand has not rank 4, channels, filters and groups do not fit,
///           the padded input is smaller than what the filter covers, a stride, a dilation or the
///           groups are not positive, padding is negative or for other axes, or devices differ.
/// Gradient: to both operands, each computed only where wanted.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> conv2d(const Tensor<Scalar>& input, const Tensor<Scalar>& filter,
                                    const Conv2DOptions& options = {},
                                    std::source_location where = std::source_location::current()) {
  return detail::convolution(input, filter, detail::motion_of("conv2d", options), where);
}

/// Slides a filter over volumes (as is usual, without mirroring it).
///
/// Shapes:   input [n, d, h, w, c], filter [kd, kh, kw, c / groups, f] ->
///           [n, (d + front + back - (kd - 1) dilation - 1) / sd + 1, likewise, likewise, f]
/// Throws:   UsageError as for conv2d.
/// Gradient: to both operands, each computed only where wanted.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> conv3d(const Tensor<Scalar>& input, const Tensor<Scalar>& filter,
                                    const Conv3DOptions& options = {},
                                    std::source_location where = std::source_location::current()) {
  return detail::convolution(input, filter, detail::motion_of("conv3d", options), where);
}

}  // namespace ddx
