/// \file
/// Who asks: the operation's name and the user's line, for messages.

#pragma once

#include "ddx/core/checked.h"
#include "ddx/core/shape.h"

#include <cstdint>
#include <source_location>
#include <span>
#include <string>

namespace ddx::ops {

/// The operation as the user knows it, and where it was called.
struct Site {
  const char* operation;
  std::source_location where = {};

  /// Throws:  UsageError that names the operation, the facts and the line.
  [[noreturn]] void fail(const std::string& facts) const;

  /// Throws:  UsageError as above where a number does not fit in 64 bits.
  [[nodiscard]] std::int64_t sum(std::int64_t a, std::int64_t b) const {
    return checked_sum(a, b, operation, where);
  }
  [[nodiscard]] std::int64_t difference(std::int64_t a, std::int64_t b) const {
    return checked_difference(a, b, operation, where);
  }
  [[nodiscard]] std::int64_t product(std::int64_t a, std::int64_t b) const {
    return checked_product(a, b, operation, where);
  }

  /// The shape of these extents.
  ///
  /// Throws:  UsageError as above where there is no such shape.
  [[nodiscard]] Shape shape(std::span<const Shape::Extent> extents) const {
    return Shape(extents, operation, where);
  }

  /// Requires that places along an extent are numbers of 32 bits.
  ///
  /// Throws:  UsageError as above.
  void check_places(std::int64_t extent, const Shape& x) const;
};

}  // namespace ddx::ops
