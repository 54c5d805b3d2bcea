#include "ddx/nn/attention/attention_cache.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/indices.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/tensor.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <span>

namespace ddx::nn::detail {

Tensor<std::int32_t> numbers_for(Device device, std::span<const std::int64_t> numbers) {
  // On the host: elements of the device are not observed, as they may not be ready.
  auto made = zeros<std::int32_t>({static_cast<std::int64_t>(numbers.size())}, Device::naive());
  std::ranges::transform(numbers, made.mutable_elements().begin(),
                         [](std::int64_t number) { return static_cast<std::int32_t>(number); });
  return made.to(device);
}

void check_places(const Shape& keys, const Shape& values, const std::source_location& where) {
  if (keys.rank() != 4 || keys != values) {
    throw UsageError("AttentionCache",
                     "new keys " + to_string(keys) + " and values " + to_string(values) +
                         " are not both [n, heads, places, depth]",
                     where);
  }
}

void check_new_places(const Shape& cached, const Shape& added, const std::source_location& where) {
  bool fits = added.rank() == cached.rank();
  for (std::size_t axis = 0; fits && axis < cached.rank(); ++axis) {
    fits = axis == 2 || cached[axis] == added[axis];
  }
  if (!fits) {
    throw UsageError("AttentionCache",
                     "new places " + to_string(added) + " do not continue those of " +
                         to_string(cached) + ", [n, heads, places, depth]",
                     where);
  }
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
