/// \file
/// Colour changes of images.

#pragma once

#include "ddx/tensor/tensor.h"

#include <source_location>
#include <span>

namespace ddx::data {

/// (x - mean) / deviation, each channel with its own numbers.
///
/// Shapes:  [..., c] -> [..., c]
/// Throws:  UsageError if there are not c means and c deviations, or a deviation is 0.
[[nodiscard]] Tensor<float> channels_normalized(
    const Tensor<float>& images, std::span<const float> mean, std::span<const float> deviation,
    std::source_location where = std::source_location::current());

/// Brighter or darker images: x factor, clamped to [0, 1].
///
/// Shapes:  [n, h, w, 3] -> [n, h, w, 3], or [h, w, 3] -> [h, w, 3]
/// Throws:  UsageError if the shape is another, or the factor is negative or not finite.
[[nodiscard]] Tensor<float> with_brightness(
    const Tensor<float>& images, float factor,
    std::source_location where = std::source_location::current());

/// Images with more or less contrast: m + (x - m) factor, clamped to [0, 1], where m is the image's
/// mean grey. The grey of a pixel is 0.299 red + 0.587 green + 0.114 blue.
///
/// Shapes:  [n, h, w, 3] -> [n, h, w, 3], or [h, w, 3] -> [h, w, 3]
/// Throws:  as `with_brightness`.
/// Source:  ITU-R recommendation BT.601 (the weights of grey).
[[nodiscard]] Tensor<float> with_contrast(
    const Tensor<float>& images, float factor,
    std::source_location where = std::source_location::current());

/// Images with stronger or weaker colours: g + (x - g) factor, clamped to [0, 1], where g is the
/// pixel's grey; 0 gives greys.
///
/// Shapes:  [n, h, w, 3] -> [n, h, w, 3], or [h, w, 3] -> [h, w, 3]
/// Throws:  as `with_brightness`.
[[nodiscard]] Tensor<float> with_saturation(
    const Tensor<float>& images, float factor,
    std::source_location where = std::source_location::current());

/// Images with rotated hues; saturation and value of each pixel (of the HSV model) are unchanged.
/// Values are clamped to [0, 1].
///
/// Shapes:  [n, h, w, 3] -> [n, h, w, 3], or [h, w, 3] -> [h, w, 3]
/// Units:   turn in full circles; 1/3 makes red green
/// Throws:  UsageError if the shape is another, or the turn is not finite.
/// Source:  A. Smith, "Color gamut transform pairs", SIGGRAPH 1978.
[[nodiscard]] Tensor<float> with_hue(const Tensor<float>& images, float turn,
                                     std::source_location where = std::source_location::current());

}  // namespace ddx::data
