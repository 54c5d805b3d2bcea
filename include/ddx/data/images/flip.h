/// \file
/// Mirrored images.

#pragma once

#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>

namespace ddx::data {

/// Which sides of an image are swapped.
enum class Flip : std::uint8_t { LeftRight, UpDown };

/// Mirrored images.
///
/// Shapes:  [n, h, w, c] -> [n, h, w, c], or [h, w, c] -> [h, w, c]
/// Throws:  UsageError if the rank is another.
[[nodiscard]] Tensor<float> flipped(const Tensor<float>& images, Flip flip,
                                    std::source_location where = std::source_location::current());

}  // namespace ddx::data
