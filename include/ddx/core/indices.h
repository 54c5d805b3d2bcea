/// \file
/// A short list of integers per axis: positions, axes, permutations, bounds.

#pragma once

#include "ddx/core/shape.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <span>
#include <string>

namespace ddx {

/// Up to Shape::max_rank integers, which may be negative. A value: no allocation, compared by
/// content.
class Indices {
 public:
  Indices() = default;  ///< None.

  /// Throws: UsageError where there are more than Shape::max_rank.
  Indices(std::initializer_list<std::int64_t> values)
      : Indices(std::span<const std::int64_t>(values.begin(), values.size())) {}

  /// Throws: UsageError where there are more than Shape::max_rank.
  explicit Indices(std::span<const std::int64_t> values);

  /// The extents of a shape. Implicit, so that a shape can be given where extents are asked for.
  Indices(const Shape& shape) : Indices(shape.extents()) {}

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] std::int64_t operator[](std::size_t i) const noexcept { return values_[i]; }
  [[nodiscard]] std::span<const std::int64_t> values() const noexcept {
    return {values_.data(), size_};
  }

  friend bool operator==(const Indices&, const Indices&) = default;

 private:
  std::array<std::int64_t, Shape::max_rank> values_{};  // Places past the size stay zero.
  std::size_t size_ = 0;
};

/// Renders as "[2, -1]".
[[nodiscard]] std::string to_string(const Indices& indices);
/// Writes what to_string gives.
std::ostream& operator<<(std::ostream& stream, const Indices& indices);

}  // namespace ddx
