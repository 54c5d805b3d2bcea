#include "backend/pjrt/mesh_parts.h"

#include "ddx/core/mesh.h"
#include "ddx/core/partition_spec.h"
#include "ddx/core/shape.h"
#include "ddx/stablehlo/module.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace ddx::backend::pjrt {
namespace {

/// The place of a device along an axis of the mesh, and how many there are.
std::pair<std::int64_t, std::int64_t> place_along(const stablehlo::Mesh& mesh,
                                                  const std::string& name, std::size_t device) {
  auto number = static_cast<std::int64_t>(device);
  std::pair<std::int64_t, std::int64_t> place{0, 1};
  for (std::size_t i = mesh.axes.size(); i-- > 0;) {
    const auto& [axis, extent] = mesh.axes[i];
    if (axis == name) {
      place = {number % extent, extent};
    }
    number /= extent;
  }
  return place;
}

/// Calls `copy(offset in the whole, offset in the part, elements)` for each run of elements that
/// follow each other in both.
template <class Copy>
void for_each_run(const Shape& whole, const Part& part, const Copy& copy) {
  const Strides strides = dense_strides(whole);
  std::size_t inner = whole.rank();  // From here on the part has all of each axis.
  std::int64_t run = 1;
  while (inner > 0) {
    --inner;
    run *= part.shape[inner];
    if (part.shape[inner] != whole[inner]) {
      break;
    }
  }
  if (part.shape.count() == 0) {
    return;
  }
  std::array<std::int64_t, Shape::max_rank> index{};
  for (std::int64_t done = 0; done < part.shape.count(); done += run) {
    std::int64_t offset = 0;
    for (std::size_t axis = 0; axis < whole.rank(); ++axis) {
      offset += (part.begin[axis] + index[axis]) * strides[axis];
    }
    copy(static_cast<std::size_t>(offset), static_cast<std::size_t>(done),
         static_cast<std::size_t>(run));
    for (std::size_t axis = inner; axis-- > 0;) {
      if (++index[axis] < part.shape[axis]) {
        break;
      }
      index[axis] = 0;
    }
  }
}

}  // namespace

stablehlo::Mesh axes_of(const Mesh& mesh) {
  stablehlo::Mesh axes;
  for (const MeshAxis& axis : mesh.axes()) {
    axes.axes.emplace_back(axis.name, axis.extent);
  }
  return axes;
}

stablehlo::Sharding sharding_of(const PartitionSpec& spec, std::size_t rank) {
  stablehlo::Sharding sharding = spec.axes();
  sharding.resize(rank);
  return sharding;
}

Part part_of(const Shape& whole, const stablehlo::Sharding& sharding, const stablehlo::Mesh& mesh,
             std::size_t device) {
  Part part;
  std::vector<std::int64_t> extents;
  for (std::size_t axis = 0; axis < whole.rank(); ++axis) {
    std::int64_t number = 0;
    std::int64_t count = 1;
    for (const std::string& name : sharding[axis]) {
      const auto [place, extent] = place_along(mesh, name, device);
      number = number * extent + place;
      count *= extent;
    }
    extents.push_back(whole[axis] / count);
    part.begin[axis] = number * extents.back();
  }
  part.shape = Shape(extents);
  return part;
}

bool is_replicated(const stablehlo::Sharding& sharding) noexcept {
  return std::ranges::all_of(sharding, [](const auto& names) { return names.empty(); });
}

stablehlo::Sharding reshaped(const stablehlo::Sharding& sharding, const Shape& from,
                             const Shape& to) {
  const std::size_t least = std::min(from.rank(), to.rank());
  std::size_t first = 0;
  while (first < least && from[first] == to[first]) {
    ++first;
  }
  std::size_t last = 0;
  while (last < least - first && from[from.rank() - 1 - last] == to[to.rank() - 1 - last]) {
    ++last;
  }
  stablehlo::Sharding other(to.rank());
  for (std::size_t axis = 0; axis < from.rank(); ++axis) {
    if (axis < first) {
      other[axis] = sharding[axis];
    } else if (axis >= from.rank() - last) {
      other[axis + to.rank() - from.rank()] = sharding[axis];
    } else if (!sharding[axis].empty()) {
      return stablehlo::Sharding(to.rank());
    }
  }
  return other;
}

void copy_out(const std::byte* whole, const Shape& shape, const Part& part,
              std::size_t element_bytes, std::byte* to) {
  for_each_run(shape, part, [&](std::size_t in_whole, std::size_t in_part, std::size_t count) {
    std::memcpy(to + in_part * element_bytes, whole + in_whole * element_bytes,
                count * element_bytes);
  });
}

void copy_in(std::byte* whole, const Shape& shape, const Part& part, std::size_t element_bytes,
             const std::byte* from) {
  for_each_run(shape, part, [&](std::size_t in_whole, std::size_t in_part, std::size_t count) {
    std::memcpy(whole + in_whole * element_bytes, from + in_part * element_bytes,
                count * element_bytes);
  });
}

}  // namespace ddx::backend::pjrt
