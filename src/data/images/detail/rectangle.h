/// \file
/// Copies of parts of one picture.

#pragma once

#include "ddx/data/images/crop.h"

#include "data/images/detail/image_extents.h"

#include <source_location>
#include <span>

namespace ddx::data::detail {

/// Throws:  UsageError if the rectangle is empty or not inside the pictures.
void check_rectangle(const CropOptions& rectangle, const ImageExtents& extents,
                     const char* operation, const std::source_location& where);

/// Copies the points of a rectangle, which lies inside, of one picture.
void copy_rectangle(std::span<const float> picture, const ImageExtents& extents,
                    const CropOptions& rectangle, std::span<float> into);

/// Mirrors one picture in place.
void mirror_left_right(std::span<float> picture, const ImageExtents& extents);

}  // namespace ddx::data::detail
