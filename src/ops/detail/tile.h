/// \file
/// Sums over the innermost axis in tiles: many sums in double at once without scratch memory.

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace ddx::ops::detail {

inline constexpr std::int64_t tile_width = 64;

/// For each tile of [0, count): starts sums at zero, calls add(sums, first, width), and writes them
/// to y[first ...].
template <class T, class Add>
void sum_tiles(T* y, std::int64_t count, Add add) {
  for (std::int64_t first = 0; first < count; first += tile_width) {
    const std::int64_t width = std::min(tile_width, count - first);
    std::array<double, static_cast<std::size_t>(tile_width)> sums{};
    add(sums.data(), first, width);
    for (std::int64_t i = 0; i < width; ++i) {
      y[first + i] = static_cast<T>(sums[static_cast<std::size_t>(i)]);
    }
  }
}

/// sums[i] += factor * x[i * stride]
template <class T>
void add_multiple(double* sums, std::int64_t width, double factor, const T* x,
                  std::int64_t stride = 1) {
  for (std::int64_t i = 0; i < width; ++i) {
    sums[i] += factor * static_cast<double>(x[i * stride]);
  }
}

}  // namespace ddx::ops::detail
