#include "ddx/tensor/padding.h"

#include "ddx/core/host_vector.h"
#include "ddx/core/indices.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/movement.h"
#include "ddx/ops/site.h"
#include "ddx/tensor/tensor.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string>
#include <vector>

namespace ddx::detail {
namespace {

/// How many elements a border can repeat.
std::int64_t available(PadMode mode, std::int64_t extent) {
  return mode == PadMode::Reflect ? std::max<std::int64_t>(extent - 1, 0) : extent;
}

/// The place that stands at `place`, which may lie outside [0, extent) by as much as is available.
std::int64_t source_of(PadMode mode, std::int64_t place, std::int64_t extent) {
  switch (mode) {
    case PadMode::Reflect:
      return place < 0 ? -place : place >= extent ? 2 * (extent - 1) - place : place;
    case PadMode::Symmetric:
      return place < 0 ? -1 - place : place >= extent ? 2 * extent - 1 - place : place;
    case PadMode::Edge:
      return std::clamp<std::int64_t>(place, 0, extent - 1);
    case PadMode::Wrap:
      return place < 0 ? place + extent : place >= extent ? place - extent : place;
  }
  __builtin_unreachable();
}

}  // namespace

Tensor<std::int32_t> padded_places(const Shape& shape, std::size_t axis, const Indices& low,
                                   const Indices& high, PadMode mode, Device device,
                                   const std::source_location& where) {
  const ops::Site site{"pad_with", where};
  const std::int64_t padded = ops::pad_shape(site, shape, low, high, {}).shape[axis];
  const std::int64_t extent = shape[axis];
  const std::int64_t most = std::max(low[axis], high[axis]);
  const bool repeats_enough =
      mode == PadMode::Edge ? most == 0 || extent > 0 : most <= available(mode, extent);
  if (!repeats_enough) {
    site.fail("a border of " + std::to_string(most) + " is more than axis " + std::to_string(axis) +
              " can repeat; shape " + to_string(shape));
  }
  site.check_places(padded, shape);
  auto places = host_vector_with_room<std::int32_t>(site.operation, padded);
  for (std::int64_t place = -low[axis]; place < extent + high[axis]; ++place) {
    places.push_back(static_cast<std::int32_t>(source_of(mode, place, extent)));
  }
  return Tensor<std::int32_t>(Shape{padded}, places, device);
}

}  // namespace ddx::detail
