/// \file
/// The names of layers for signals, images and volumes, and what they demand of their options.

#pragma once

#include "ddx/core/shape.h"
#include "ddx/nn/detail/options.h"
#include "ddx/nn/detail/sample_shapes.h"
#include "ddx/tensor/options.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace ddx::nn::detail {

/// One of three names, by the number of axes.
template <std::size_t axes>
constexpr const char* by_axes(const char* one, const char* two, const char* three) noexcept {
  return std::array{one, two, three}[axes - 1];
}

/// Throws: UsageError where one of the numbers is below 1.
template <std::size_t axes>
void require_all_positive(const char* layer, const char* option, const Extents<axes>& values) {
  for (const std::int64_t value : values) {
    require_positive(layer, option, value);
  }
}

/// What the options of convolutions and transposed convolutions have in common.
///
/// Throws: UsageError where `in`, `out`, the groups, or an extent of the kernel, the strides or the
///         dilations is below 1, or the groups do not divide `in` and `out`.
template <std::size_t axes, class Options>
void require_convolution(const char* layer, const Options& options) {
  require_positive(layer, "in", options.in);
  require_positive(layer, "out", options.out);
  require_all_positive<axes>(layer, "kernel", options.kernel);
  require_all_positive<axes>(layer, "strides", options.strides);
  require_all_positive<axes>(layer, "dilations", options.dilations);
  require_positive(layer, "groups", options.groups);
  require_divisor(layer, "groups", options.groups, "in", options.in);
  require_divisor(layer, "groups", options.groups, "out", options.out);
}

/// The shape of a filter: the extents of its kernel, then two more.
template <std::size_t axes>
Shape filter_shape(const Extents<axes>& kernel, std::int64_t from, std::int64_t to) {
  std::array<std::int64_t, axes + 2> extents{};
  std::copy(kernel.begin(), kernel.end(), extents.begin());
  extents[axes] = from;
  extents[axes + 1] = to;
  return Shape(std::span<const std::int64_t>(extents));
}

/// The number of elements of a kernel.
inline std::int64_t points(const Shape& filter) {
  std::int64_t count = 1;
  for (std::size_t axis = 0; axis + 2 < filter.rank(); ++axis) {
    count *= filter[axis];
  }
  return count;
}

}  // namespace ddx::nn::detail
