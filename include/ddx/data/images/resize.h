/// \file
/// Resized images.

#pragma once

#include "ddx/tensor/options.h"
#include "ddx/tensor/tensor.h"

#include <source_location>

namespace ddx::data {

/// The interpolation and the target size: as for tensors.
using ddx::Interpolation;
using ddx::ResizeOptions;

/// Resized images, as ddx::resize; also a single one.
///
/// Shapes:  [n, h, w, c] -> [n, height, width, c], or [h, w, c] -> [height, width, c]
/// Throws:  UsageError if the rank is another, and as ddx::resize.
[[nodiscard]] Tensor<float> resized(const Tensor<float>& images, const ResizeOptions& options,
                                    std::source_location where = std::source_location::current());

}  // namespace ddx::data
