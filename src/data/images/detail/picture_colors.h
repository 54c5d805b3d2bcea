/// \file
/// Pictures of colours, one after the other.

#pragma once

#include "ddx/tensor/tensor.h"

#include "data/images/detail/image_extents.h"

#include <cstddef>
#include <source_location>
#include <span>

namespace ddx::data::detail {

/// Throws:  UsageError if the last axis is not red, green and blue.
void check_colors(const Tensor<float>& images, const ImageExtents& extents, const char* operation,
                  const std::source_location& where);

/// A copy of the pictures, in which `change(i, picture)` has changed each.
template <class Change>
[[nodiscard]] Tensor<float> changed_pictures(const Tensor<float>& images,
                                             const ImageExtents& extents, const Change& change) {
  auto values = images.values();
  for (std::size_t i = 0; i < static_cast<std::size_t>(extents.count); ++i) {
    change(i, std::span(values).subspan(i * extents.size(), extents.size()));
  }
  return image_tensor(extents, values, images);
}

}  // namespace ddx::data::detail
