#include "ddx/tensor/tiling.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/indices.h"
#include "ddx/core/shape.h"
#include "ddx/ops/site.h"

#include <cstddef>
#include <cstdint>
#include <new>
#include <source_location>
#include <string>
#include <vector>

namespace ddx::detail {
namespace {

Shape shape_of_extents(const ops::Site& site, const Shape& shape,
                       const std::vector<std::int64_t>& extents) {
  if (extents.size() > Shape::max_rank) {
    site.fail("axes and repeated axes are " + std::to_string(extents.size()) +
              " together, above the largest rank supported, " + std::to_string(Shape::max_rank) +
              "; shape " + to_string(shape));
  }
  return site.shape(extents);
}

void check_repeats(const ops::Site& site, const Shape& shape, std::int64_t count) {
  if (count < 0) {
    site.fail("repeat " + std::to_string(count) + " is negative; shape " + to_string(shape));
  }
}

}  // namespace

Repetition tiles(const Shape& shape, const Indices& repeats,
                 const std::source_location& where) try {
  const ops::Site site{"tile", where};
  if (repeats.size() != shape.rank()) {
    site.fail("repeats " + to_string(repeats) + " has " + std::to_string(repeats.size()) +
              " values, not one per axis; shape " + to_string(shape));
  }
  std::vector<std::int64_t> apart;
  std::vector<std::int64_t> repeated;
  std::vector<std::int64_t> joined;
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    check_repeats(site, shape, repeats[axis]);
    if (repeats[axis] != 1) {
      apart.push_back(1);
      repeated.push_back(repeats[axis]);
    }
    apart.push_back(shape[axis]);
    repeated.push_back(shape[axis]);
    joined.push_back(site.product(repeats[axis], shape[axis]));
  }
  return {shape_of_extents(site, shape, apart), shape_of_extents(site, shape, repeated),
          shape_of_extents(site, shape, joined)};
} catch (const std::bad_alloc&) {
  throw_out_of_memory("tiles");
}

Repetition repeats_along(const Shape& shape, std::int64_t count, std::int64_t axis,
                         const std::source_location& where) try {
  const ops::Site site{"repeat", where};
  const std::size_t along = resolve_axis(axis, shape, site.operation, where);
  check_repeats(site, shape, count);
  std::vector<std::int64_t> apart(shape.extents().begin(), shape.extents().end());
  std::vector<std::int64_t> joined = apart;
  joined[along] = site.product(joined[along], count);
  const auto behind = static_cast<std::ptrdiff_t>(along) + 1;
  std::vector<std::int64_t> repeated = apart;
  apart.insert(apart.begin() + behind, 1);
  repeated.insert(repeated.begin() + behind, count);
  return {shape_of_extents(site, shape, apart), shape_of_extents(site, shape, repeated),
          shape_of_extents(site, shape, joined)};
} catch (const std::bad_alloc&) {
  throw_out_of_memory("repeats_along");
}

}  // namespace ddx::detail
