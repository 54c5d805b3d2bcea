/// \file
/// An array as seen from one of its axes.

#pragma once

#include "ddx/core/shape.h"

#include <cstddef>
#include <cstdint>

namespace ddx::ops::detail {

/// An array seen as [outer, extent, inner] around one axis.
struct AroundAxis {
  AroundAxis(const Shape& shape, std::size_t axis) noexcept : extent(shape[axis]) {
    for (std::size_t i = 0; i < axis; ++i) {
      outer *= shape[i];
    }
    for (std::size_t i = axis + 1; i < shape.rank(); ++i) {
      inner *= shape[i];
    }
  }

  std::int64_t outer = 1;
  std::int64_t extent;
  std::int64_t inner = 1;
};

}  // namespace ddx::ops::detail
