/// \file
/// The lines of an array along one axis.

#pragma once

#include "ddx/core/shape.h"

#include <cstddef>
#include <cstdint>

namespace ddx::ops::detail {

/// The elements along one axis at one place of the others, as double.
template <class T>
struct AxisLine {
  [[nodiscard]] double operator[](std::int64_t i) const noexcept {
    return static_cast<double>(data[i * stride]);
  }
  void set(std::int64_t i, double value) const noexcept {
    data[i * stride] = static_cast<T>(value);
  }

  T* data;
  std::int64_t stride;
  std::int64_t extent;
};

/// Calls body(first) with the offset of each line along the axis.
template <class Body>
void for_each_axis_line(const Shape& shape, std::size_t axis, Body body) noexcept {
  const std::int64_t stride = dense_strides(shape)[axis];
  if (shape.count() == 0) {
    return;
  }
  const std::int64_t block = stride * shape[axis];
  for (std::int64_t first = 0; first < shape.count(); first += block) {
    for (std::int64_t i = 0; i < stride; ++i) {
      body(first + i);
    }
  }
}

}  // namespace ddx::ops::detail
