/// \file
/// From the options of convolutions and poolings to how a window moves over any number of axes.

#pragma once

#include "ddx/ops/attributes.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/options.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace ddx::detail {

/// One number per axis, 1 past them.
template <std::size_t axes>
ops::WindowAttributes::PerAxis per_axis(const Extents<axes>& extents) {
  ops::WindowAttributes::PerAxis result{1, 1, 1};
  std::copy(extents.begin(), extents.end(), result.begin());
  return result;
}

/// How a filter moves; its size is its own shape's.
template <std::size_t axes>
WindowMotion filter_motion(const char* operation, const Extents<axes>& strides,
                           const Extents<axes>& dilations, std::int64_t groups,
                           const Padding& padding) {
  return {operation,
          {.axes = axes,
           .strides = per_axis(strides),
           .dilations = per_axis(dilations),
           .groups = groups},
          padding};
}

template <std::size_t axes>
WindowMotion motion_of(const char* operation, const ConvolutionOptions<axes>& options) {
  return filter_motion(operation, options.strides, options.dilations, options.groups,
                       options.padding);
}

template <std::size_t axes>
WindowMotion motion_of(const char* operation, const TransposedConvolutionOptions<axes>& options) {
  return filter_motion(operation, options.strides, options.dilations, options.groups,
                       options.padding);
}

/// Each channel of `input` is a group.
template <std::size_t axes>
WindowMotion motion_of(const char* operation, const DepthwiseOptions<axes>& options,
                       const Shape& input) {
  const std::int64_t channels = input.rank() == 0 ? 0 : input[input.rank() - 1];
  return filter_motion(operation, options.strides, options.dilations, channels, options.padding);
}

inline WindowMotion motion_of(const char* operation, const MorphologyOptions& options) {
  return filter_motion(operation, options.strides, options.dilations, 1, options.padding);
}

template <std::size_t axes>
WindowMotion motion_of(const char* operation, const PoolOptions<axes>& options) {
  const auto& strides = options.strides == Extents<axes>{} ? options.size : options.strides;
  return {operation,
          {.axes = axes, .size = per_axis(options.size), .strides = per_axis(strides)},
          options.padding};
}

}  // namespace ddx::detail
