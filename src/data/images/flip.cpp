#include "ddx/data/images/flip.h"

#include "ddx/tensor/tensor.h"

#include "data/images/detail/image_extents.h"
#include "data/images/detail/rectangle.h"

#include <algorithm>
#include <cstddef>
#include <source_location>
#include <span>
#include <vector>

namespace ddx::data {
namespace {

/// Exchanges the rows of all pictures.
void mirror_up_down(std::span<float> values, const detail::ImageExtents& extents) {
  const auto row = static_cast<std::size_t>(extents.width * extents.channels);
  for (std::size_t begin = 0; begin < values.size(); begin += extents.size()) {
    auto picture = values.subspan(begin, extents.size());
    for (std::size_t up = 0, down = picture.size() - row; up < down; up += row, down -= row) {
      std::swap_ranges(&picture[up], &picture[up] + row, &picture[down]);
    }
  }
}

}  // namespace

Tensor<float> flipped(const Tensor<float>& images, Flip flip, std::source_location where) {
  const auto extents = detail::image_extents(images, "flipped", where);
  auto values = images.values();
  switch (flip) {
    case Flip::LeftRight:
      detail::mirror_left_right(values, extents);  // A row ends where the next picture begins.
      break;
    case Flip::UpDown:
      mirror_up_down(values, extents);
      break;
  }
  return detail::image_tensor(extents, values, images);
}

}  // namespace ddx::data
