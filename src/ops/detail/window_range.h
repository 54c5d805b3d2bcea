/// \file
/// Which elements of a window lie inside the input, and which windows cover an element.

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

/// The places in [0, places) whose window covers the input position.
inline Range covering(std::int64_t position, std::int64_t stride, std::int64_t padding,
                      std::int64_t window, std::int64_t places) noexcept {
  const std::int64_t shifted = position + padding;
  const std::int64_t begin = shifted < window ? 0 : (shifted - window) / stride + 1;
  return {begin, std::min(places, shifted / stride + 1)};
}

}  // namespace ddx::ops::detail
