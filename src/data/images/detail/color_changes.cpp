#include "data/images/detail/color_changes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>

namespace ddx::data::detail {
namespace {

constexpr std::size_t color_channels = 3;

float within_one(float x) {
  return std::clamp(x, 0.0F, 1.0F);
}

float grey(const float* point) {
  return 0.299F * point[0] + 0.587F * point[1] + 0.114F * point[2];
}

/// The hue of a point in circles, counted from red; 0 for greys.
float hue_of(const float* point, float value, float chroma) {
  const auto [red, green, blue] = std::array{point[0], point[1], point[2]};
  if (chroma == 0) {
    return 0;
  }
  if (value == red) {
    return (green - blue) / chroma / 6;
  }
  return value == green ? (blue - red) / chroma / 6 + 1.0F / 3
                        : (red - green) / chroma / 6 + 2.0F / 3;
}

/// A trapezium over the circle: how much of a channel a hue has that is so far from it.
float share(float distance) {
  const float sixths = 6 * (distance - std::floor(distance));
  return within_one(std::abs(sixths - 3) - 1);
}

}  // namespace

void change_brightness(std::span<float> picture, float factor) {
  for (auto& x : picture) {
    x = within_one(x * factor);
  }
}

void change_contrast(std::span<float> picture, float factor) {
  double sum = 0;
  for (std::size_t i = 0; i < picture.size(); i += color_channels) {
    sum += static_cast<double>(grey(&picture[i]));
  }
  const auto points =
      static_cast<double>(std::max<std::size_t>(picture.size() / color_channels, 1));
  const auto mean = static_cast<float>(sum / points);
  for (auto& x : picture) {
    x = within_one(mean + (x - mean) * factor);
  }
}

void change_saturation(std::span<float> picture, float factor) {
  for (std::size_t i = 0; i < picture.size(); i += color_channels) {
    const float level = grey(&picture[i]);
    for (auto& x : picture.subspan(i, color_channels)) {
      x = within_one(level + (x - level) * factor);
    }
  }
}

void change_hue(std::span<float> picture, float turn) {
  for (std::size_t i = 0; i < picture.size(); i += color_channels) {
    const auto point = picture.subspan(i, color_channels);
    std::transform(point.begin(), point.end(), point.begin(), within_one);
    const float value = std::max({point[0], point[1], point[2]});
    const float chroma = value - std::min({point[0], point[1], point[2]});
    const float hue = hue_of(point.data(), value, chroma) + turn;
    for (std::size_t channel = 0; channel < color_channels; ++channel) {
      const float from_channel = hue - static_cast<float>(channel) / 3;
      point[channel] = value - chroma * (1 - share(from_channel));
    }
  }
}

}  // namespace ddx::data::detail
