#include "ddx/data/image_dataset.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/data/labelled_images.h"
#include "ddx/tensor/tensor.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ddx::data {

ImageDataset::ImageDataset(LabelledImages images, const Options& options)
    : images_(std::move(images)), options_(options) {
  const Shape shape{images_.size(), images_.height, images_.width, images_.channels};
  if (static_cast<std::int64_t>(images_.pixels.size()) != shape.count()) {
    throw UsageError("ImageDataset", std::to_string(images_.pixels.size()) +
                                         " bytes for images of shape " + to_string(shape));
  }
}

ImageBatch ImageDataset::batch(std::span<const std::int64_t> samples) const {
  std::array<float, 256> value_of_byte;
  for (std::size_t byte = 0; byte < value_of_byte.size(); ++byte) {
    value_of_byte[byte] = (static_cast<float>(byte) / 255 - options_.mean) / options_.deviation;
  }
  const auto size = images_.height * images_.width * images_.channels;
  std::vector<float> pixels;
  std::vector<std::int32_t> labels;
  pixels.reserve(samples.size() * static_cast<std::size_t>(size));
  labels.reserve(samples.size());
  for (const auto sample : samples) {
    const auto* first = images_.pixels.data() + sample * size;
    std::transform(first, first + size, std::back_inserter(pixels),
                   [&](std::uint8_t byte) { return value_of_byte[byte]; });
    labels.push_back(images_.labels[static_cast<std::size_t>(sample)]);
  }
  const auto count = static_cast<std::int64_t>(samples.size());
  return {.images = Tensor<float>({count, images_.height, images_.width, images_.channels},
                                  std::span<const float>(pixels), options_.device),
          .labels = Tensor<std::int32_t>({count}, std::span<const std::int32_t>(labels),
                                         options_.device)};
}

}  // namespace ddx::data
