/// \file
/// Pictures of bytes as tensors.

#pragma once

#include "ddx/core/device.h"
#include "ddx/io/image.h"
#include "ddx/tensor/tensor.h"

#include <source_location>

namespace ddx::io {

/// The points of a picture as numbers: red, green and blue, each byte / 255.
///
/// Shapes:  -> [height, width, 3]
[[nodiscard]] Tensor<float> to_tensor(const Image& image, Device device = {});

/// A picture of numbers: the nearest byte to 255 x, within 0 and 255; NaN becomes 0.
///
/// Shapes:  [height, width, 3], or [height, width, 1] for greys
/// Throws:  UsageError where the shape is another.
[[nodiscard]] Image to_image(const Tensor<float>& points,
                             std::source_location where = std::source_location::current());

}  // namespace ddx::io
