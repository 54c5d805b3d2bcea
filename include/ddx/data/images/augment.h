/// \file
/// Pictures changed at random, so that a model sees each of them in many ways.

#pragma once

#include "ddx/core/random_key.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>

namespace ddx::data {

/// What `random_crop` takes.
struct RandomCropOptions {
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::int64_t padding = 0;  ///< Zeros put around the picture first, on each side.
};

/// A rectangle of each picture, at a place of its own; every place is equally likely.
///
/// Shapes:  [n, h, w, c] -> [n, height, width, c]
/// Throws:  UsageError if the rank is another, the padding negative, or the rectangle empty or
///          larger than the padded picture.
[[nodiscard]] Tensor<float> random_crop(
    const Tensor<float>& images, const RandomCropOptions& options, RandomKey key,
    std::source_location where = std::source_location::current());

/// Each picture mirrored from left to right with this probability.
///
/// Shapes:  [n, h, w, c] -> [n, h, w, c]
/// Throws:  UsageError if the rank is another, or the probability does not lie in [0, 1].
[[nodiscard]] Tensor<float> random_flip(
    const Tensor<float>& images, RandomKey key, double probability = 0.5,
    std::source_location where = std::source_location::current());

/// How far `color_jitter` goes.
struct ColorJitterOptions {
  float brightness = 0;  ///< The factor lies in [max(0, 1 - brightness), 1 + brightness].
  float contrast = 0;    ///< Likewise.
  float saturation = 0;  ///< Likewise.
  float hue = 0;         ///< The turn lies in [-hue, hue]; at most 1/2.
};

/// Each picture with brightness, contrast, saturation and hue changed, in this order, by numbers of
/// its own.
///
/// Shapes:  [n, h, w, 3] -> [n, h, w, 3]
/// Throws:  UsageError if the shape is another, an option is negative or not finite, or the hue is
///          above 1/2.
[[nodiscard]] Tensor<float> color_jitter(
    const Tensor<float>& images, const ColorJitterOptions& options, RandomKey key,
    std::source_location where = std::source_location::current());

}  // namespace ddx::data
