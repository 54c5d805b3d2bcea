#include "data/images/detail/rectangle.h"

#include "ddx/core/error.h"
#include "ddx/data/images/crop.h"

#include "data/images/detail/image_extents.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <span>
#include <string>

namespace ddx::data::detail {

void check_rectangle(const CropOptions& rectangle, const ImageExtents& extents,
                     const char* operation, const std::source_location& where) {
  const auto is_inside = [](std::int64_t begin, std::int64_t size, std::int64_t extent) {
    return begin >= 0 && size >= 1 && size <= extent && begin <= extent - size;
  };
  if (!is_inside(rectangle.top, rectangle.height, extents.height) ||
      !is_inside(rectangle.left, rectangle.width, extents.width)) {
    throw UsageError(operation,
                     std::to_string(rectangle.height) + " by " + std::to_string(rectangle.width) +
                         " points at row " + std::to_string(rectangle.top) + " and column " +
                         std::to_string(rectangle.left) + " of pictures of " +
                         std::to_string(extents.height) + " by " + std::to_string(extents.width),
                     where);
  }
}

void copy_rectangle(std::span<const float> picture, const ImageExtents& extents,
                    const CropOptions& rectangle, std::span<float> into) {
  const auto row = static_cast<std::size_t>(rectangle.width * extents.channels);
  auto to = into.begin();
  for (std::int64_t y = rectangle.top; y < rectangle.top + rectangle.height; ++y) {
    const auto begin = (y * extents.width + rectangle.left) * extents.channels;
    const auto from = picture.subspan(static_cast<std::size_t>(begin), row);
    to = std::copy(from.begin(), from.end(), to);
  }
}

void mirror_left_right(std::span<float> picture, const ImageExtents& extents) {
  const auto channels = static_cast<std::size_t>(extents.channels);
  const auto width = static_cast<std::size_t>(extents.width);
  for (std::size_t row = 0; row < picture.size(); row += width * channels) {
    for (std::size_t left = 0, right = width; left + 1 < right; ++left) {
      --right;
      std::swap_ranges(&picture[row + left * channels], &picture[row + left * channels] + channels,
                       &picture[row + right * channels]);
    }
  }
}

}  // namespace ddx::data::detail
