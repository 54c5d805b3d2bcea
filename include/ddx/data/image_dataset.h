/// \file
/// Labelled images as tensors.

#pragma once

#include "ddx/core/device.h"
#include "ddx/data/labelled_images.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <span>

namespace ddx::data {

/// Some images and their classes.
struct ImageBatch {
  Tensor<float> images;         ///< [n, height, width, channels]
  Tensor<std::int32_t> labels;  ///< [n]
};

/// Labelled images with the scaling that a model expects: (byte / 255 - mean) / deviation.
class ImageDataset {
 public:
  struct Options {
    float mean = 0;
    float deviation = 1;
    Device device = {};
  };

  /// Throws: UsageError if the number of pixels does not match the extents and labels.
  ImageDataset(LabelledImages images, const Options& options);

  /// The number of images.
  [[nodiscard]] std::int64_t size() const noexcept { return images_.size(); }

  /// These images, each in [0, size()).
  [[nodiscard]] ImageBatch batch(std::span<const std::int64_t> samples) const;

  /// The images as bytes.
  [[nodiscard]] const LabelledImages& images() const noexcept { return images_; }

 private:
  LabelledImages images_;
  Options options_;
};

}  // namespace ddx::data
