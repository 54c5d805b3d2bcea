/// \file
/// Pictures of bytes, resized and normalised in one pass.

#pragma once

#include "ddx/io/image.h"

#include <array>
#include <cstdint>
#include <span>

namespace ddx::data::detail {

/// What `resample` does.
struct Resampling {
  /// The rectangle to resize; its sides may lie inside of points.
  double top = 0;
  double left = 0;
  double bottom = 0;
  double right = 0;
  std::int64_t height = 0;  ///< Of the result.
  std::int64_t width = 0;
  bool is_flipped = false;  ///< Whether the result is mirrored from left to right.
  /// Red, green and blue: scale * byte + shift.
  std::array<float, 3> scale = {1, 1, 1};
  std::array<float, 3> shift = {};
};

/// The points of a rectangle, which lies inside the picture, at another size: bilinear, with a
/// kernel that becomes wider where the picture becomes smaller, as ddx::resize with `antialias`.
///
/// Shapes:  into [height, width, 3]
void resample(const io::Image& image, const Resampling& what, std::span<float> into);

}  // namespace ddx::data::detail
