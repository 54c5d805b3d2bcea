/// \file
/// The extents of a tensor, and the rules that combine them.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <source_location>
#include <span>
#include <string>

namespace ddx {

/// The extents of a tensor, outermost axis first. A value: no allocation, compared by content.
///
/// The extents that are not 0 multiply to at most `max_count`. So no product of extents of a shape
/// overflows, no stride and no number of bytes, whichever axes it is of.
class Shape {
 public:
  using Extent = std::int64_t;

  /// The largest rank. Fixed so that shapes, strides and loop counters never allocate.
  static constexpr std::size_t max_rank = 8;

  /// The largest number of elements: their bytes fit in 63 bits for every element type, the largest
  /// of which has 16.
  static constexpr Extent max_count = (Extent{1} << 59) - 1;

  Shape() = default;  ///< The shape of a scalar: rank 0, one element.

  /// Throws: UsageError where there are more than `max_rank` extents, one is negative, or those
  ///         that are not 0 multiply to more than `max_count`. Names the caller's line.
  Shape(std::initializer_list<Extent> extents,
        std::source_location where = std::source_location::current())
      : Shape(std::span<const Extent>(extents.begin(), extents.size()), "shape", where) {}

  /// Throws: as above, without a line.
  explicit Shape(std::span<const Extent> extents) : Shape(extents, "shape", {}) {}

  /// Throws: as above. Names the operation that makes the shape and, where captured, the caller's
  ///         line.
  Shape(std::span<const Extent> extents, const char* operation,
        const std::source_location& where = {});

  [[nodiscard]] std::size_t rank() const noexcept { return rank_; }
  [[nodiscard]] std::span<const Extent> extents() const noexcept {
    return {extents_.data(), rank_};
  }

  /// The extent of an axis in [0, rank), unchecked.
  [[nodiscard]] Extent operator[](std::size_t axis) const noexcept { return extents_[axis]; }

  /// The number of elements: the product of the extents; 1 for a scalar.
  [[nodiscard]] Extent count() const noexcept {
    Extent product = 1;
    for (std::size_t axis = 0; axis < rank_; ++axis) {
      product *= extents_[axis];
    }
    return product;
  }

  /// Whether there is no element: an extent is 0.
  [[nodiscard]] bool is_empty() const noexcept {
    for (std::size_t axis = 0; axis < rank_; ++axis) {
      if (extents_[axis] == 0) {
        return true;
      }
    }
    return false;
  }

  friend bool operator==(const Shape& a, const Shape& b) noexcept {
    if (a.rank_ != b.rank_) {
      return false;
    }
    for (std::size_t axis = 0; axis < a.rank_; ++axis) {
      if (a.extents_[axis] != b.extents_[axis]) {
        return false;
      }
    }
    return true;
  }

 private:
  std::array<Extent, max_rank> extents_{};  // Extents past the rank stay zero.
  std::size_t rank_ = 0;
};

/// Distances between neighbours along each axis, in elements. Axes past the rank stay zero.
using Strides = std::array<Shape::Extent, Shape::max_rank>;

/// Renders as "[2, 3]"; the form every error message uses.
[[nodiscard]] std::string to_string(const Shape& shape);
/// Writes what to_string gives.
std::ostream& operator<<(std::ostream& stream, const Shape& shape);

/// Returns the strides of a dense row-major array: the last axis has stride 1.
[[nodiscard]] Strides dense_strides(const Shape& shape) noexcept;

/// Returns the strides that make an array of shape `from` look like one of shape `to`: axes are
/// aligned at the last one, stretched and missing axes get stride 0. Requires that `from`
/// broadcasts to `to`.
[[nodiscard]] Strides broadcast_strides(const Shape& from, const Shape& to) noexcept;

/// Returns whether an array of shape `from` can be stretched to shape `to`.
[[nodiscard]] bool broadcasts_to(const Shape& from, const Shape& to) noexcept;

/// Returns the shape that `a` and `b` both take when combined element by element.
///
/// Shapes:  a [a_m ... a_1], b [b_n ... b_1], aligned at the last axis; a missing axis counts as 1.
/// Returns: rank max(m, n); each extent is the one that is not 1.
/// Throws:  UsageError where two extents differ and neither is 1. Names the operation, the axis,
///          both shapes and, where captured, the caller's line.
/// Cost:    O(rank).
/// Source:  NumPy, "Broadcasting" (https://numpy.org/doc/stable/user/basics.broadcasting.html).
[[nodiscard]] Shape broadcast(const Shape& a, const Shape& b, const char* operation = "broadcast",
                              const std::source_location& where = {});

/// Returns `axis` counted from the front; a negative one counts from the end, -1 being the last.
///
/// Throws:  UsageError where it is not in [-rank, rank).
[[nodiscard]] std::size_t resolve_axis(std::int64_t axis, const Shape& shape, const char* operation,
                                       const std::source_location& where = {});

}  // namespace ddx
