#include "ddx/io/draw_line.h"

#include "ddx/io/image.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <utility>

namespace ddx::io {
namespace {

/// Products of differences of 32-bit numbers take 66 bits.
__extension__ using Wide = __int128;

/// The nearest integer to a / b for a positive b, the larger of two: floor((2 a + b) / (2 b)).
std::int64_t nearest_quotient(Wide a, std::int64_t b) {
  const Wide dividend = 2 * a + b;
  const Wide divisor = 2 * static_cast<Wide>(b);
  return static_cast<std::int64_t>(dividend / divisor - (dividend % divisor < 0 ? 1 : 0));
}

}  // namespace

void draw_line(Image& picture, PicturePoint from, PicturePoint to, Colour colour) {
  // u runs along the longer of the two extents, v is a function of it.
  std::int64_t u0 = from.x;
  std::int64_t v0 = from.y;
  std::int64_t u1 = to.x;
  std::int64_t v1 = to.y;
  auto columns = static_cast<std::int64_t>(picture.width());
  auto rows = static_cast<std::int64_t>(picture.height());
  const bool steep = std::abs(v1 - v0) > std::abs(u1 - u0);
  if (steep) {
    std::swap(u0, v0);
    std::swap(u1, v1);
    std::swap(columns, rows);
  }
  if (u0 > u1) {
    std::swap(u0, u1);
    std::swap(v0, v1);
  }
  const auto length = std::max<std::int64_t>(u1 - u0, 1);
  const auto end = std::min(u1, columns - 1);
  for (auto u = std::max<std::int64_t>(u0, 0); u <= end; ++u) {
    // The nearest integer to v0 + (v1 - v0) (u - u0) / length.
    const auto v = v0 + nearest_quotient(static_cast<Wide>(v1 - v0) * (u - u0), length);
    if (v >= 0 && v < rows) {
      picture.set(static_cast<std::size_t>(steep ? v : u), static_cast<std::size_t>(steep ? u : v),
                  colour);
    }
  }
}

}  // namespace ddx::io
