#include "ddx/data/images/augment.h"

#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/data/images/crop.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/tensor.h"

#include "data/images/detail/color_changes.h"
#include "data/images/detail/image_extents.h"
#include "data/images/detail/picture_colors.h"
#include "data/images/detail/rectangle.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <span>
#include <string>
#include <vector>

namespace ddx::data {
namespace {

/// A number in [0, bound), from 32 random bits: the upper half of their product.
std::int64_t below(std::int64_t bound, std::uint32_t bits) {
  return static_cast<std::int64_t>(
      (static_cast<unsigned __int128>(bits) * static_cast<unsigned __int128>(bound)) >> 32);
}

/// One picture with zeros around it.
std::vector<float> padded(std::span<const float> picture, const detail::ImageExtents& extents,
                          const detail::ImageExtents& larger, std::int64_t padding) {
  std::vector<float> result(larger.size(), 0.0F);
  const auto row = static_cast<std::size_t>(extents.width * extents.channels);
  for (std::int64_t y = 0; y < extents.height; ++y) {
    const auto from = picture.subspan(static_cast<std::size_t>(y) * row, row);
    const auto to = ((y + padding) * larger.width + padding) * extents.channels;
    std::copy(from.begin(), from.end(), result.begin() + to);
  }
  return result;
}

void check_jitter(const ColorJitterOptions& options, const std::source_location& where) {
  constexpr float most = 1e6F;
  for (const float amount : {options.brightness, options.contrast, options.saturation}) {
    if (!(amount >= 0 && amount <= most)) {
      throw UsageError("color_jitter",
                       "a range of " + std::to_string(amount) + " does not lie in [0, 1e6]", where);
    }
  }
  if (!(options.hue >= 0 && options.hue <= 0.5F)) {
    throw UsageError(
        "color_jitter",
        "the hue's range is " + std::to_string(options.hue) + ", it must lie in [0, 1/2]", where);
  }
}

}  // namespace

Tensor<float> random_crop(const Tensor<float>& images, const RandomCropOptions& options,
                          RandomKey key, std::source_location where) {
  constexpr auto operation = "random_crop";
  const auto extents = detail::batch_extents(images, operation, where);
  constexpr std::int64_t most_padding = 1 << 20;
  if (options.padding < 0 || options.padding > most_padding) {
    throw UsageError(operation,
                     "a padding of " + std::to_string(options.padding) + " does not lie in [0, " +
                         std::to_string(most_padding) + "]",
                     where);
  }
  auto larger = extents;
  larger.height += 2 * options.padding;
  larger.width += 2 * options.padding;
  CropOptions rectangle{.height = options.height, .width = options.width};
  detail::check_rectangle(rectangle, larger, operation, where);
  const detail::ImageExtents result{extents.count, options.height, options.width, extents.channels};
  std::vector<float> values(static_cast<std::size_t>(extents.count) * result.size());
  for (std::size_t i = 0; i < static_cast<std::size_t>(extents.count); ++i) {
    const auto words = key.words(i);
    rectangle.top = below(larger.height - options.height + 1, words[0]);
    rectangle.left = below(larger.width - options.width + 1, words[1]);
    const auto picture = padded(images.elements().subspan(i * extents.size(), extents.size()),
                                extents, larger, options.padding);
    detail::copy_rectangle(picture, larger, rectangle,
                           std::span(values).subspan(i * result.size(), result.size()));
  }
  return detail::image_tensor(result, values, images);
}

Tensor<float> random_flip(const Tensor<float>& images, RandomKey key, double probability,
                          std::source_location where) {
  const auto extents = detail::batch_extents(images, "random_flip", where);
  const auto is_flipped =
      random_bernoulli<bool>(key, {extents.count}, probability, images.device(), where);
  return detail::changed_pictures(images, extents, [&](std::size_t i, std::span<float> picture) {
    if (is_flipped.elements()[i]) {
      detail::mirror_left_right(picture, extents);
    }
  });
}

Tensor<float> color_jitter(const Tensor<float>& images, const ColorJitterOptions& options,
                           RandomKey key, std::source_location where) {
  const auto extents = detail::batch_extents(images, "color_jitter", where);
  detail::check_colors(images, extents, "color_jitter", where);
  check_jitter(options, where);
  const auto numbers =
      random_uniform<float>(key, {extents.count, 4}, {.low = -1, .high = 1}, Device::naive());
  return detail::changed_pictures(images, extents, [&](std::size_t i, std::span<float> picture) {
    const auto of_picture = numbers.elements().subspan(4 * i, 4);
    const auto factor = [&](float range, float number) {
      const float low = std::max(0.0F, 1 - range);
      return low + (1 + range - low) * (number + 1) / 2;
    };
    detail::change_brightness(picture, factor(options.brightness, of_picture[0]));
    detail::change_contrast(picture, factor(options.contrast, of_picture[1]));
    detail::change_saturation(picture, factor(options.saturation, of_picture[2]));
    detail::change_hue(picture, options.hue * of_picture[3]);
  });
}

}  // namespace ddx::data
