/// \file
/// Walks over the elements of arrays with strides.

#pragma once

#include "ddx/core/shape.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace ddx::ops::detail {

/// Calls `body(offsets)` for each element of `shape` in row-major order; offsets[k] is where the
/// element lies in an array with strides[k].
template <std::size_t arrays, class Body>
void for_each_offset(const Shape& shape, const std::array<Strides, arrays>& strides, Body body) {
  using Offsets = std::array<std::int64_t, arrays>;
  if (shape.count() == 0) {
    return;
  }
  Offsets offsets{};
  if (shape.rank() == 0) {
    body(static_cast<const Offsets&>(offsets));
    return;
  }
  const std::size_t last = shape.rank() - 1;
  std::array<std::int64_t, Shape::max_rank> index{};
  while (true) {
    Offsets inner = offsets;
    for (std::int64_t i = 0; i < shape[last]; ++i) {
      body(static_cast<const Offsets&>(inner));
      for (std::size_t k = 0; k < arrays; ++k) {
        inner[k] += strides[k][last];
      }
    }
    std::size_t axis = last;
    while (true) {
      if (axis-- == 0) {
        return;
      }
      for (std::size_t k = 0; k < arrays; ++k) {
        offsets[k] += strides[k][axis];
      }
      if (++index[axis] < shape[axis]) {
        break;
      }
      index[axis] = 0;
      for (std::size_t k = 0; k < arrays; ++k) {
        offsets[k] -= strides[k][axis] * shape[axis];
      }
    }
  }
}

}  // namespace ddx::ops::detail
