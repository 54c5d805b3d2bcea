/// \file
/// Lines in pictures.

#pragma once

#include "ddx/io/image.h"

#include <cstdint>

namespace ddx::io {

/// A place in a picture or beyond its border: column and row.
struct PicturePoint {
  std::int32_t x = 0;
  std::int32_t y = 0;
};

/// Colours the points of a straight line, both ends among them: one in each column where the line
/// is rather flat, one in each row where it is steep; of two that are as near, the one with the
/// larger coordinate. What lies beyond the picture is left out.
///
/// Cost:    linear in the points of the picture that are coloured, not in the length of the line.
void draw_line(Image& picture, PicturePoint from, PicturePoint to, Colour colour);

}  // namespace ddx::io
