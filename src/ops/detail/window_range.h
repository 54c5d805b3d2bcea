/// \file
/// Which elements of a window lie inside the input.

#pragma once

#include <algorithm>
#include <cstdint>

namespace ddx::ops::detail {

/// A half-open range.
struct Range {
  std::int64_t begin;
  std::int64_t end;
};

/// The elements i of the window at `place` whose input position place * stride - padding + i is in
/// [0, extent).
inline Range inside(std::int64_t place, std::int64_t stride, std::int64_t padding,
                    std::int64_t window, std::int64_t extent) noexcept {
  const std::int64_t first = place * stride - padding;
  return {std::max<std::int64_t>(0, -first), std::min(window, extent - first)};
}

}  // namespace ddx::ops::detail
