#include "data/images/detail/image_extents.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/tensor.h"

#include <source_location>
#include <span>
#include <vector>

namespace ddx::data::detail {

ImageExtents image_extents(const Tensor<float>& images, const char* operation,
                           const std::source_location& where) {
  const auto& shape = images.shape();
  if (shape.rank() == 3) {
    return {1, shape[0], shape[1], shape[2]};
  }
  if (shape.rank() == 4) {
    return {shape[0], shape[1], shape[2], shape[3]};
  }
  throw UsageError(operation,
                   "shape " + to_string(shape) + " is neither [n, h, w, c] nor [h, w, c]", where);
}

ImageExtents batch_extents(const Tensor<float>& images, const char* operation,
                           const std::source_location& where) {
  if (images.rank() != 4) {
    throw UsageError(operation, "shape " + to_string(images.shape()) + " is not [n, h, w, c]",
                     where);
  }
  return image_extents(images, operation, where);
}

Tensor<float> image_tensor(const ImageExtents& extents, const std::vector<float>& values,
                           const Tensor<float>& like) {
  const auto [count, height, width, channels] = extents;
  const auto shape =
      like.rank() == 3 ? Shape{height, width, channels} : Shape{count, height, width, channels};
  return Tensor<float>(shape, std::span<const float>(values), like.device());
}

}  // namespace ddx::data::detail
