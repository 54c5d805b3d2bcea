/// \file
/// Images with one class label each, as bytes.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ddx::data {

/// A set of equally large images and their classes; pixels [count, height, width, channels].
struct LabelledImages {
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::int64_t channels = 0;
  std::vector<std::uint8_t> pixels;
  std::vector<std::uint8_t> labels;

  /// The number of images.
  [[nodiscard]] std::int64_t size() const noexcept {
    return static_cast<std::int64_t>(labels.size());
  }
};

/// A training set and its test set.
struct LabelledImageSets {
  LabelledImages training;
  LabelledImages test;
};

}  // namespace ddx::data
