#include "ddx/core/shape.h"

#include "ddx/core/error.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <source_location>
#include <span>
#include <string>

namespace ddx {
namespace {

/// The extent of the axis `from_last` before the last one; 1 where the shape has no such axis.
Shape::Extent extent_from_end(const Shape& shape, std::size_t from_last) noexcept {
  return from_last < shape.rank() ? shape[shape.rank() - 1 - from_last] : 1;
}

std::string extents_text(std::span<const Shape::Extent> extents) {
  std::string text = "[";
  for (const auto extent : extents) {
    if (text.size() > 1) {
      text += ", ";
    }
    text += std::to_string(extent);
  }
  return text + "]";
}

/// Says what is wrong with extents that no shape has. Apart from the constructor, so that a call of
/// that keeps no registers for it.
[[noreturn, gnu::cold, gnu::noinline]] void fail(std::span<const Shape::Extent> extents,
                                                 const char* operation,
                                                 const std::source_location& where) {
  if (extents.size() > Shape::max_rank) {
    throw UsageError(operation,
                     "rank " + std::to_string(extents.size()) + " exceeds the largest supported, " +
                         std::to_string(Shape::max_rank),
                     where);
  }
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    if (extents[axis] < 0) {
      throw UsageError(operation,
                       "axis " + std::to_string(axis) + ": extent " +
                           std::to_string(extents[axis]) + " is negative",
                       where);
    }
  }
  throw UsageError(operation,
                   "extents " + extents_text(extents) + " multiply to more than " +
                       std::to_string(Shape::max_count) +
                       (std::ranges::count(extents, 0) > 0 ? ", those of 0 left out" : ""),
                   where);
}

}  // namespace

Shape::Shape(std::span<const Extent> extents, const char* operation,
             const std::source_location& where)
    : rank_(extents.size()) {
  if (extents.size() > max_rank) [[unlikely]] {
    fail(extents, operation, where);
  }
  // Of the extents that are not 0: products of any of them fit where that of all does.
  Extent product = 1;
  bool is_wrong = false;
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    const Extent extent = extents[axis];
    extents_[axis] = extent;
    if (extent > 0) [[likely]] {
      is_wrong |= __builtin_mul_overflow(product, extent, &product);
    } else {
      is_wrong |= extent < 0;
    }
  }
  if (is_wrong || product > max_count) [[unlikely]] {
    fail(extents, operation, where);
  }
}

std::string to_string(const Shape& shape) {
  return extents_text(shape.extents());
}

std::ostream& operator<<(std::ostream& stream, const Shape& shape) {
  return stream << to_string(shape);
}

Strides dense_strides(const Shape& shape) noexcept {
  Strides strides{};
  Shape::Extent step = 1;
  for (std::size_t axis = shape.rank(); axis-- > 0;) {
    strides[axis] = step;
    step *= shape[axis];
  }
  return strides;
}

Strides broadcast_strides(const Shape& from, const Shape& to) noexcept {
  const Strides dense = dense_strides(from);
  const std::size_t missing = to.rank() - from.rank();
  Strides strides{};
  for (std::size_t axis = 0; axis < from.rank(); ++axis) {
    strides[axis + missing] = from[axis] == to[axis + missing] ? dense[axis] : 0;
  }
  return strides;
}

bool broadcasts_to(const Shape& from, const Shape& to) noexcept {
  if (from.rank() > to.rank()) {
    return false;
  }
  for (std::size_t axis = 0; axis < from.rank(); ++axis) {
    const auto extent = extent_from_end(from, axis);
    if (extent != 1 && extent != extent_from_end(to, axis)) {
      return false;
    }
  }
  return true;
}

Shape broadcast(const Shape& a, const Shape& b, const char* operation,
                const std::source_location& where) {
  if (a == b) {
    return a;
  }
  const std::size_t rank = std::max(a.rank(), b.rank());
  std::array<Shape::Extent, Shape::max_rank> result{};
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const auto in_a = extent_from_end(a, axis);
    const auto in_b = extent_from_end(b, axis);
    if (in_a != in_b && in_a != 1 && in_b != 1) {
      throw UsageError(operation,
                       "axis -" + std::to_string(axis + 1) + ": extents " + std::to_string(in_a) +
                           " and " + std::to_string(in_b) + " differ; shapes " + to_string(a) +
                           " and " + to_string(b),
                       where);
    }
    // Not max(): an extent of 0 against 1 gives 0.
    result[rank - 1 - axis] = in_a == 1 ? in_b : in_a;
  }
  return Shape(std::span<const Shape::Extent>(result.data(), rank), operation, where);
}

std::size_t resolve_axis(std::int64_t axis, const Shape& shape, const char* operation,
                         const std::source_location& where) {
  const auto rank = static_cast<std::int64_t>(shape.rank());
  if (axis < -rank || axis >= rank) {
    throw UsageError(operation,
                     "axis " + std::to_string(axis) + " is not in [" + std::to_string(-rank) +
                         ", " + std::to_string(rank) + "); shape " + to_string(shape),
                     where);
  }
  return static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
}

}  // namespace ddx
