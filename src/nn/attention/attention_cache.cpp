#include "ddx/nn/attention/attention_cache.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/indices.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/tensor.h"

#include <algorithm>
#include <cstdint>
#include <source_location>

namespace ddx::nn::detail {

Tensor<bool> places_between(std::int64_t places, std::int64_t begin, std::int64_t end,
                            Device device) {
  // On the host: elements of the device are not observed, as they may not be ready.
  auto between = zeros<bool>({places}, Device::naive());
  const auto cells = between.mutable_elements();
  std::fill(cells.begin() + begin, cells.begin() + end, true);
  return between.to(device);
}

std::int64_t enough_room(std::int64_t room, std::int64_t places) noexcept {
  while (room < places) {
    room *= 2;
  }
  return room;
}

Indices head_extents(const char* layer, const Shape& x, std::int64_t heads,
                     const std::source_location& where) {
  if (x.rank() != 3) {
    throw UsageError(layer, "shape " + to_string(x) + " is not [n, time, features]", where);
  }
  return {x[0], x[1], heads, x[2] / heads};
}

Indices joined_extents(const Shape& x) {
  return {x[0], x[2], x[1] * x[3]};
}

}  // namespace ddx::nn::detail
