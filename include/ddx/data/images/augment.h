/// \file
/// Random augmentation of images.

#pragma once

#include "ddx/core/random_key.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>

namespace ddx::data {

/// The options of `random_crop`.
struct RandomCropOptions {
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::int64_t padding = 0;  ///< Zeros added around the image first, on each side.
};

/// A rectangle of each image at a random position; every position is equally likely.
///
/// Shapes:  [n, h, w, c] -> [n, height, width, c]
/// Throws:  UsageError if the rank is another, the padding negative, or the rectangle empty or
///          larger than the padded picture.
[[nodiscard]] Tensor<float> random_crop(
    const Tensor<float>& images, const RandomCropOptions& options, RandomKey key,
    std::source_location where = std::source_location::current());

/// Each image mirrored from left to right with this probability.
///
/// Shapes:  [n, h, w, c] -> [n, h, w, c]
/// Throws:  UsageError if the rank is another, or the probability does not lie in [0, 1].
[[nodiscard]] Tensor<float> random_flip(
    const Tensor<float>& images, RandomKey key, double probability = 0.5,
    std::source_location where = std::source_location::current());

/// The options of `color_jitter`.
struct ColorJitterOptions {
  float brightness = 0;  ///< The factor is in [max(0, 1 - brightness), 1 + brightness].
  float contrast = 0;    ///< Likewise.
  float saturation = 0;  ///< Likewise.
  float hue = 0;         ///< The rotation is in [-hue, hue]; at most 1/2.
};

/// Each image with brightness, contrast, saturation and hue changed, in this order, by its own
/// random numbers.
///
/// Shapes:  [n, h, w, 3] -> [n, h, w, 3]
/// Throws:  UsageError if the shape is another, an option is negative or not finite, or the hue is
///          above 1/2.
[[nodiscard]] Tensor<float> color_jitter(
    const Tensor<float>& images, const ColorJitterOptions& options, RandomKey key,
    std::source_location where = std::source_location::current());

}  // namespace ddx::data
