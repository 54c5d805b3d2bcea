/// \file
/// Pictures in another size.

#pragma once

#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>

namespace ddx::data {

/// How a point between points is computed.
enum class Interpolation : std::uint8_t {
  Nearest,   ///< The nearest point.
  Bilinear,  ///< The four around it, by distance.
  Bicubic,   ///< The sixteen around it, by cubic convolution.
};

/// What `resized` does.
struct ResizeOptions {
  std::int64_t height = 0;
  std::int64_t width = 0;
  Interpolation interpolation = Interpolation::Bilinear;
  /// Widens the kernel where the picture becomes smaller, so that every point counts. Not for the
  /// nearest point.
  bool antialias = false;
};

/// Pictures in another size. The centre of point i lies at i + 1/2; beyond the border the last
/// points go on. The cubic kernel has a = -3/4, with antialiasing a = -1/2.
///
/// Shapes:  [n, h, w, c] -> [n, height, width, c], or [h, w, c] -> [height, width, c]
/// Throws:  UsageError where the rank is another, a size is below 1, a picture has no point, or the
///          nearest point is asked for with antialiasing.
/// Cost:    linear in the points, times the width of the kernel; first the columns, then the rows.
/// Source:  R. Keys, "Cubic convolution interpolation for digital image processing", 1981.
[[nodiscard]] Tensor<float> resized(const Tensor<float>& images, const ResizeOptions& options,
                                    std::source_location where = std::source_location::current());

}  // namespace ddx::data
