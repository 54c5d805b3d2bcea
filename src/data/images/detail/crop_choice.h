/// \file
/// The parts of pictures that become samples.

#pragma once

#include "ddx/core/random_key.h"
#include "ddx/data/images/crop.h"
#include "ddx/data/sets/cropped_image_files.h"

#include <cstdint>

namespace ddx::data::detail {

/// A part of a picture, and whether it is mirrored from left to right.
struct ChosenCrop {
  CropOptions rectangle;
  bool is_flipped = false;
};

/// The extents of a picture.
struct PictureExtents {
  std::int64_t height = 0;
  std::int64_t width = 0;
};

/// A random part. The logarithm of the aspect ratio, the area and the place are uniform; ten parts
/// are drawn until one lies inside, else it is the largest in the middle with a permitted ratio.
[[nodiscard]] ChosenCrop random_crop_of(const PictureExtents& picture,
                                        const ImageCropOptions& options, RandomKey key);

/// The part in the middle with the aspect ratio of `sample`; its side is `share` of the largest.
[[nodiscard]] ChosenCrop middle_of(const PictureExtents& picture, const PictureExtents& sample,
                                   double share);

}  // namespace ddx::data::detail
