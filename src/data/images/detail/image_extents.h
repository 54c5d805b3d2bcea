/// \file
/// The extents of pictures in a tensor.

#pragma once

#include "ddx/core/shape.h"
#include "ddx/tensor/tensor.h"

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <span>
#include <vector>

namespace ddx::data::detail {

/// Pictures [n, h, w, c]; n is 1 for a single one, [h, w, c].
struct ImageExtents {
  std::int64_t count;
  std::int64_t height;
  std::int64_t width;
  std::int64_t channels;

  /// The number of values of one picture.
  [[nodiscard]] std::size_t size() const noexcept {
    return static_cast<std::size_t>(height * width * channels);
  }
};

/// The extents of a tensor of pictures.
///
/// Throws:  UsageError if its rank is neither 3 nor 4.
[[nodiscard]] ImageExtents image_extents(const Tensor<float>& images, const char* operation,
                                         const std::source_location& where);

/// The extents of a batch of pictures.
///
/// Throws:  UsageError if its rank is not 4.
[[nodiscard]] ImageExtents batch_extents(const Tensor<float>& images, const char* operation,
                                         const std::source_location& where);

/// Values of these extents as a tensor of the rank and on the device of `like`.
[[nodiscard]] Tensor<float> image_tensor(const ImageExtents& extents,
                                         const std::vector<float>& values,
                                         const Tensor<float>& like);

}  // namespace ddx::data::detail
