/// \file
/// Parts of images.

#pragma once

#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>

namespace ddx::data {

/// A rectangle of pixels.
struct CropOptions {
  std::int64_t top = 0;
  std::int64_t left = 0;
  std::int64_t height = 0;
  std::int64_t width = 0;
};

/// The pixels inside a rectangle.
///
/// Shapes:  [n, h, w, c] -> [n, height, width, c], or [h, w, c] -> [height, width, c]
/// Throws:  UsageError if the rank is another, or the rectangle is empty or not inside.
[[nodiscard]] Tensor<float> cropped(const Tensor<float>& images, const CropOptions& options,
                                    std::source_location where = std::source_location::current());

/// The pixels in the middle. Of an odd remainder the smaller half is at the top and at the left.
///
/// Shapes:  [n, h, w, c] -> [n, height, width, c], or [h, w, c] -> [height, width, c]
/// Throws:  as `cropped`.
[[nodiscard]] Tensor<float> center_cropped(
    const Tensor<float>& images, std::int64_t height, std::int64_t width,
    std::source_location where = std::source_location::current());

}  // namespace ddx::data
