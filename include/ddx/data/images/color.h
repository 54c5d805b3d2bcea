/// \file
/// Colours of pictures, changed.

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

/// Brighter or darker pictures: x factor, within [0, 1].
///
/// Shapes:  [n, h, w, 3] -> [n, h, w, 3], or [h, w, 3] -> [h, w, 3]
/// Throws:  UsageError if the shape is another, or the factor is negative or not finite.
[[nodiscard]] Tensor<float> with_brightness(
    const Tensor<float>& images, float factor,
    std::source_location where = std::source_location::current());

/// Pictures with more or less contrast: m + (x - m) factor, within [0, 1], where m is the mean grey
/// of the picture. The grey of a point is 0.299 red + 0.587 green + 0.114 blue.
///
/// Shapes:  [n, h, w, 3] -> [n, h, w, 3], or [h, w, 3] -> [h, w, 3]
/// Throws:  as `with_brightness`.
/// Source:  ITU-R recommendation BT.601 (the weights of grey).
[[nodiscard]] Tensor<float> with_contrast(
    const Tensor<float>& images, float factor,
    std::source_location where = std::source_location::current());

/// Pictures of stronger or weaker colours: g + (x - g) factor, within [0, 1], where g is the grey
/// of the point; 0 gives greys.
///
/// Shapes:  [n, h, w, 3] -> [n, h, w, 3], or [h, w, 3] -> [h, w, 3]
/// Throws:  as `with_brightness`.
[[nodiscard]] Tensor<float> with_saturation(
    const Tensor<float>& images, float factor,
    std::source_location where = std::source_location::current());

/// Pictures with the hues turned; saturation and value of each point (of the HSV model) stay.
/// Values are taken within [0, 1].
///
/// Shapes:  [n, h, w, 3] -> [n, h, w, 3], or [h, w, 3] -> [h, w, 3]
/// Units:   turn in full circles; 1/3 makes red green
/// Throws:  UsageError if the shape is another, or the turn is not finite.
/// Source:  A. Smith, "Color gamut transform pairs", SIGGRAPH 1978.
[[nodiscard]] Tensor<float> with_hue(const Tensor<float>& images, float turn,
                                     std::source_location where = std::source_location::current());

}  // namespace ddx::data
