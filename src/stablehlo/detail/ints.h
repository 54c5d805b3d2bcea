/// \file
/// Lists of integers, one per axis or window axis, and shapes made of them.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ddx::stablehlo::detail {

/// Integers, one per axis or window axis.
using Ints = std::vector<std::int64_t>;

inline Shape shape_of(const Ints& extents) {
  return Shape(std::span<const std::int64_t>(extents));
}

/// The shape with another extent of one axis.
inline Shape with_extent(const Shape& shape, std::size_t axis, std::int64_t extent) {
  Ints extents(shape.extents().begin(), shape.extents().end());
  extents[axis] = extent;
  return shape_of(extents);
}

inline bool contains(const Ints& list, std::int64_t value) {
  return std::ranges::find(list, value) != list.end();
}

inline Ints joined(Ints a, const Ints& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

inline bool is_integer(DType dtype) {
  const DTypeKind kind = info(dtype).kind;
  return kind == DTypeKind::Signed || kind == DTypeKind::Unsigned;
}

}  // namespace ddx::stablehlo::detail
