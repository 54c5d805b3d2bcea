/// \file
/// Colours of one picture, changed in place.

#pragma once

#include <span>

namespace ddx::data::detail {

/// x factor, within [0, 1].
void change_brightness(std::span<float> picture, float factor);
/// m + (x - m) factor, within [0, 1]; m is the mean grey of the points, red, green and blue each.
void change_contrast(std::span<float> picture, float factor);
/// g + (x - g) factor, within [0, 1]; g is the grey of the point.
void change_saturation(std::span<float> picture, float factor);
/// Hues turned by so many circles.
void change_hue(std::span<float> picture, float turn);

}  // namespace ddx::data::detail
