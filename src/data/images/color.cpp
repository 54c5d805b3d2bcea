#include "ddx/data/images/color.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/tensor.h"

#include "data/images/detail/color_changes.h"
#include "data/images/detail/image_extents.h"
#include "data/images/detail/picture_colors.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <source_location>
#include <span>
#include <string>

namespace ddx::data {
namespace {

using Change = void (*)(std::span<float>, float);

Tensor<float> changed(const Tensor<float>& images, float amount, Change change,
                      const char* operation, const std::source_location& where) {
  const auto extents = detail::image_extents(images, operation, where);
  detail::check_colors(images, extents, operation, where);
  return detail::changed_pictures(
      images, extents, [&](std::size_t, std::span<float> picture) { change(picture, amount); });
}

void check_factor(float factor, const char* operation, const std::source_location& where) {
  if (!(factor >= 0) || !std::isfinite(factor)) {
    throw UsageError(operation,
                     "the factor is " + std::to_string(factor) + ", at least 0 is required", where);
  }
}

}  // namespace

void detail::check_colors(const Tensor<float>& images, const ImageExtents& extents,
                          const char* operation, const std::source_location& where) {
  if (extents.channels != 3) {
    throw UsageError(operation,
                     "shape " + to_string(images.shape()) + " has " +
                         std::to_string(extents.channels) +
                         " channels, red, green and blue are required",
                     where);
  }
}

Tensor<float> channels_normalized(const Tensor<float>& images, std::span<const float> mean,
                                  std::span<const float> deviation, std::source_location where) {
  const auto rank = images.rank();
  const auto channels = rank == 0 ? 0 : static_cast<std::size_t>(images.shape()[rank - 1]);
  if (rank == 0 || mean.size() != channels || deviation.size() != channels) {
    throw UsageError("channels_normalized",
                     std::to_string(mean.size()) + " means and " +
                         std::to_string(deviation.size()) + " deviations for shape " +
                         to_string(images.shape()),
                     where);
  }
  if (std::find(deviation.begin(), deviation.end(), 0.0F) != deviation.end()) {
    throw UsageError("channels_normalized", "a deviation is 0", where);
  }
  auto result = images;
  auto values = result.mutable_elements();
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = (values[i] - mean[i % channels]) / deviation[i % channels];
  }
  return result;
}

Tensor<float> with_brightness(const Tensor<float>& images, float factor,
                              std::source_location where) {
  check_factor(factor, "with_brightness", where);
  return changed(images, factor, detail::change_brightness, "with_brightness", where);
}

Tensor<float> with_contrast(const Tensor<float>& images, float factor, std::source_location where) {
  check_factor(factor, "with_contrast", where);
  return changed(images, factor, detail::change_contrast, "with_contrast", where);
}

Tensor<float> with_saturation(const Tensor<float>& images, float factor,
                              std::source_location where) {
  check_factor(factor, "with_saturation", where);
  return changed(images, factor, detail::change_saturation, "with_saturation", where);
}

Tensor<float> with_hue(const Tensor<float>& images, float turn, std::source_location where) {
  if (!std::isfinite(turn)) {
    throw UsageError("with_hue", "the turn is " + std::to_string(turn), where);
  }
  return changed(images, turn, detail::change_hue, "with_hue", where);
}

}  // namespace ddx::data
