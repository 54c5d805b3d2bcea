#include "ddx/data/images/crop.h"

#include "ddx/core/checked.h"
#include "ddx/tensor/tensor.h"

#include "data/images/detail/image_extents.h"
#include "data/images/detail/rectangle.h"

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <span>
#include <vector>

namespace ddx::data {
namespace {

Tensor<float> crop(const Tensor<float>& images, const detail::ImageExtents& extents,
                   const CropOptions& rectangle, const char* operation,
                   const std::source_location& where) {
  detail::check_rectangle(rectangle, extents, operation, where);
  const detail::ImageExtents result{extents.count, rectangle.height, rectangle.width,
                                    extents.channels};
  std::vector<float> values(static_cast<std::size_t>(extents.count) * result.size());
  for (std::size_t i = 0; i < static_cast<std::size_t>(extents.count); ++i) {
    detail::copy_rectangle(images.elements().subspan(i * extents.size(), extents.size()), extents,
                           rectangle, std::span(values).subspan(i * result.size(), result.size()));
  }
  return detail::image_tensor(result, values, images);
}

}  // namespace

Tensor<float> cropped(const Tensor<float>& images, const CropOptions& options,
                      std::source_location where) {
  return crop(images, detail::image_extents(images, "cropped", where), options, "cropped", where);
}

Tensor<float> center_cropped(const Tensor<float>& images, std::int64_t height, std::int64_t width,
                             std::source_location where) {
  const auto extents = detail::image_extents(images, "center_cropped", where);
  const auto margin = [&](std::int64_t extent, std::int64_t size) {
    return checked_difference(extent, size, "center_cropped", where) / 2;
  };
  const CropOptions middle{.top = margin(extents.height, height),
                           .left = margin(extents.width, width),
                           .height = height,
                           .width = width};
  return crop(images, extents, middle, "center_cropped", where);
}

}  // namespace ddx::data
