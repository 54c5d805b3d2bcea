/// \file
/// Transposed convolutions of signals, images and volumes: the linear map whose matrix is the
/// transpose of that of a convolution. Samples come first, channels last.

#pragma once

#include "ddx/tensor/detail/convolve.h"
#include "ddx/tensor/detail/window_motion.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/tensor.h"

#include <source_location>

namespace ddx {

/// The transpose of conv1d with the same filter and options.
///
/// Shapes:   input [n, x, f], filter [k, c / groups, f] -> [n, x', c]; x' as for
///           transposed_conv2d
/// Throws:   UsageError as for transposed_conv2d.
/// Gradient: to both operands, each computed only where wanted.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> transposed_conv1d(
    const Tensor<Scalar>& input, const Tensor<Scalar>& filter,
    const TransposedConv1DOptions& options = {},
    std::source_location where = std::source_location::current()) {
  const detail::WindowMotion motion = detail::motion_of("transposed_conv1d", options);
  const Shape shape =
      detail::transposed_shape(input.shape(), filter.shape(), options.extents, motion, where);
  return detail::convolution_input_gradient(input, filter, shape, motion, where);
}

/// The transpose of conv2d with the same filter and options: each pixel of the input puts its
/// multiple of the filter into the result.
///
/// Shapes:   input [n, h, w, f], filter [kh, kw, c / groups, f] -> [n, h', w', c], where h' is what
///           `extents` asks for, else h sh with Same padding, else
///           (h - 1) sh + (kh - 1) dilation + 1 - top - bottom; w' likewise
/// Throws:   UsageError where an operand has not rank 4, channels, filters and groups do not fit, a
///           stride, a dilation or the groups are not positive, padding is negative or for other
///           axes, no convolution gives the input from a result of these extents, or devices
///           differ.
/// Gradient: to both operands, each computed only where wanted.
/// Source:   V. Dumoulin, F. Visin, "A guide to convolution arithmetic for deep learning", 2016.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> transposed_conv2d(
    const Tensor<Scalar>& input, const Tensor<Scalar>& filter,
    const TransposedConv2DOptions& options = {},
    std::source_location where = std::source_location::current()) {
  const detail::WindowMotion motion = detail::motion_of("transposed_conv2d", options);
  const Shape shape =
      detail::transposed_shape(input.shape(), filter.shape(), options.extents, motion, where);
  return detail::convolution_input_gradient(input, filter, shape, motion, where);
}

/// The transpose of conv3d with the same filter and options.
///
/// Shapes:   input [n, d, h, w, f], filter [kd, kh, kw, c / groups, f] -> [n, d', h', w', c]; the
///           extents as for transposed_conv2d
/// Throws:   UsageError as for transposed_conv2d.
/// Gradient: to both operands, each computed only where wanted.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> transposed_conv3d(
    const Tensor<Scalar>& input, const Tensor<Scalar>& filter,
    const TransposedConv3DOptions& options = {},
    std::source_location where = std::source_location::current()) {
  const detail::WindowMotion motion = detail::motion_of("transposed_conv3d", options);
  const Shape shape =
      detail::transposed_shape(input.shape(), filter.shape(), options.extents, motion, where);
  return detail::convolution_input_gradient(input, filter, shape, motion, where);
}

}  // namespace ddx
