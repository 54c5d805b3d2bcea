/// \file
/// Convolutions that treat each channel for itself, and those that combine the channels afterwards.

#pragma once

#include "ddx/tensor/convolution.h"
#include "ddx/tensor/detail/convolve.h"
#include "ddx/tensor/detail/window_motion.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/tensor.h"

#include <source_location>

namespace ddx {

namespace detail {

/// A convolution whose groups are the channels.
template <FloatingScalar Scalar>
Tensor<Scalar> depthwise_convolution(const Tensor<Scalar>& input, const Tensor<Scalar>& filter,
                                     const WindowMotion& motion, std::source_location where) {
  const Shape grouped = grouped_filter(input.shape(), filter.shape(), motion, where);
  return convolution(input, reshape(filter, grouped, where), motion, where);
}

}  // namespace detail

/// Slides m filters over each channel of signals; result k of channel c is channel c m + k.
///
/// Shapes:   input [n, x, c], filter [k, c, m] -> [n, x', c m], x' as for conv1d
/// Throws:   UsageError as for depthwise_conv2d.
/// Gradient: to both operands, each computed only where wanted.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> depthwise_conv1d(
    const Tensor<Scalar>& input, const Tensor<Scalar>& filter,
    const Depthwise1DOptions& options = {},
    std::source_location where = std::source_location::current()) {
  return detail::depthwise_convolution(
      input, filter, detail::motion_of("depthwise_conv1d", options, input.shape()), where);
}

/// Slides m filters over each channel of images; result k of channel c is channel c m + k.
///
/// Shapes:   input [n, h, w, c], filter [kh, kw, c, m] -> [n, h', w', c m], extents as for conv2d
/// Throws:   UsageError where an operand has not rank 4, channels differ or there are none, the
///           padded input is smaller than what the filter covers, a stride or a dilation is not
///           positive, padding is negative or for other axes, or devices differ.
/// Gradient: to both operands, each computed only where wanted.
/// Source:   TensorFlow, tf.nn.depthwise_conv2d.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> depthwise_conv2d(
    const Tensor<Scalar>& input, const Tensor<Scalar>& filter,
    const Depthwise2DOptions& options = {},
    std::source_location where = std::source_location::current()) {
  return detail::depthwise_convolution(
      input, filter, detail::motion_of("depthwise_conv2d", options, input.shape()), where);
}

/// depthwise_conv1d, then at each place a combination of the channels.
///
/// Shapes:   input [n, x, c], depthwise [k, c, m], pointwise [1, c m, f] -> [n, x', f]
/// Throws:   UsageError as for depthwise_conv1d and conv1d.
/// Gradient: to all operands, each computed only where wanted.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> separable_conv1d(
    const Tensor<Scalar>& input, const Tensor<Scalar>& depthwise, const Tensor<Scalar>& pointwise,
    const Depthwise1DOptions& options = {},
    std::source_location where = std::source_location::current()) {
  return conv1d(depthwise_conv1d(input, depthwise, options, where), pointwise, {}, where);
}

/// depthwise_conv2d, then at each place a combination of the channels.
///
/// Shapes:   input [n, h, w, c], depthwise [kh, kw, c, m], pointwise [1, 1, c m, f] ->
///           [n, h', w', f]
/// Throws:   UsageError as for depthwise_conv2d and conv2d.
/// Gradient: to all operands, each computed only where wanted.
/// Source:   F. Chollet, "Xception: deep learning with depthwise separable convolutions", 2017.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> separable_conv2d(
    const Tensor<Scalar>& input, const Tensor<Scalar>& depthwise, const Tensor<Scalar>& pointwise,
    const Depthwise2DOptions& options = {},
    std::source_location where = std::source_location::current()) {
  return conv2d(depthwise_conv2d(input, depthwise, options, where), pointwise, {}, where);
}

}  // namespace ddx
