#include "data/images/detail/crop_choice.h"

#include "ddx/core/random_key.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace ddx::data::detail {
namespace {

/// A number in [low, high), from 32 random bits.
double between(double low, double high, std::uint32_t bits) {
  return low + (high - low) * std::ldexp(static_cast<double>(bits), -32);
}

/// A whole number in [0, bound), likewise.
std::int64_t place_below(std::int64_t bound, std::uint32_t bits) {
  return static_cast<std::int64_t>(between(0, static_cast<double>(bound), bits));
}

/// The nearest whole number from 1 to a picture's extent.
std::int64_t extent_near(double extent, std::int64_t whole) {
  return std::clamp<std::int64_t>(std::llround(extent), 1, whole);
}

CropOptions centred(const PictureExtents& picture, std::int64_t height, std::int64_t width) {
  return {.top = (picture.height - height) / 2,
          .left = (picture.width - width) / 2,
          .height = height,
          .width = width};
}

/// The largest part in the middle whose width / height is this.
CropOptions largest_of_ratio(const PictureExtents& picture, double ratio, double share) {
  const auto height = static_cast<double>(picture.height);
  const auto width = static_cast<double>(picture.width);
  const double used = share * std::min(height, width / ratio);
  return centred(picture, extent_near(used, picture.height),
                 extent_near(used * ratio, picture.width));
}

}  // namespace

ChosenCrop random_crop_of(const PictureExtents& picture, const ImageCropOptions& options,
                          RandomKey key) {
  constexpr std::uint64_t tries = 10;
  const auto height = static_cast<double>(picture.height);
  const auto width = static_cast<double>(picture.width);
  const bool is_flipped = between(0, 1, key.words(tries)[0]) < options.flip_probability;
  for (std::uint64_t i = 0; i < tries; ++i) {
    const auto words = key.words(i);
    const double area = height * width * between(options.area[0], options.area[1], words[0]);
    const double ratio = std::exp(
        between(std::log(options.aspect_ratio[0]), std::log(options.aspect_ratio[1]), words[1]));
    const auto rows = std::llround(std::sqrt(area / ratio));
    const auto columns = std::llround(std::sqrt(area * ratio));
    if (rows >= 1 && rows <= picture.height && columns >= 1 && columns <= picture.width) {
      return {.rectangle = {.top = place_below(picture.height - rows + 1, words[2]),
                            .left = place_below(picture.width - columns + 1, words[3]),
                            .height = rows,
                            .width = columns},
              .is_flipped = is_flipped};
    }
  }
  const double ratio = std::clamp(width / height, options.aspect_ratio[0], options.aspect_ratio[1]);
  return {.rectangle = largest_of_ratio(picture, ratio, 1), .is_flipped = is_flipped};
}

ChosenCrop middle_of(const PictureExtents& picture, const PictureExtents& sample, double share) {
  const double ratio = static_cast<double>(sample.width) / static_cast<double>(sample.height);
  return {.rectangle = largest_of_ratio(picture, ratio, share)};
}

}  // namespace ddx::data::detail
