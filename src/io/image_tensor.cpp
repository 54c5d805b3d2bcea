#include "ddx/io/image_tensor.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/io/image.h"
#include "ddx/tensor/tensor.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <span>
#include <utility>
#include <vector>

namespace ddx::io {
namespace {

std::uint8_t byte_of(float x) {
  // Written so that NaN fails the first comparison.
  if (!(x > 0)) {
    return 0;
  }
  return x < 1 ? static_cast<std::uint8_t>(std::lround(x * 255)) : std::uint8_t{255};
}

}  // namespace

Tensor<float> to_tensor(const Image& image, Device device) {
  std::vector<float> values;
  values.reserve(3 * image.points().size());
  for (const auto& point : image.points()) {
    for (const auto byte : {point.red, point.green, point.blue}) {
      values.push_back(static_cast<float>(byte) / 255);
    }
  }
  const Shape shape{static_cast<Shape::Extent>(image.height()),
                    static_cast<Shape::Extent>(image.width()), 3};
  return Tensor<float>(shape, std::span<const float>(values), device);
}

Image to_image(const Tensor<float>& points, std::source_location where) {
  const auto& shape = points.shape();
  if (shape.rank() != 3 || (shape[2] != 3 && shape[2] != 1)) {
    throw UsageError(
        "to_image",
        "shape " + to_string(shape) + " is neither [height, width, 3] nor [height, width, 1]",
        where);
  }
  const auto channels = static_cast<std::size_t>(shape[2]);
  const auto values = points.elements();
  std::vector<Colour> colours;
  colours.reserve(values.size() / channels);
  for (std::size_t i = 0; i < values.size(); i += channels) {
    const auto last = channels - 1;
    colours.push_back(
        {byte_of(values[i]), byte_of(values[i + last / 2]), byte_of(values[i + last])});
  }
  return {std::move(colours), static_cast<std::size_t>(shape[1]),
          static_cast<std::size_t>(shape[0])};
}

}  // namespace ddx::io
