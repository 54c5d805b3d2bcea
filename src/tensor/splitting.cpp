#include "ddx/tensor/splitting.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/host_vector.h"
#include "ddx/core/shape.h"
#include "ddx/ops/site.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/operations.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <source_location>
#include <span>
#include <string>
#include <vector>

namespace ddx::detail {
namespace {

/// The shape with another extent along one axis.
Shape with_extent(const Shape& shape, std::size_t axis, std::int64_t extent) {
  std::array<std::int64_t, Shape::max_rank> extents{};
  std::copy(shape.extents().begin(), shape.extents().end(), extents.begin());
  extents[axis] = extent;
  return Shape(std::span<const std::int64_t>(extents.data(), shape.rank()));
}

/// The shape without one axis.
Shape without_axis(const Shape& shape, std::size_t axis) {
  std::array<std::int64_t, Shape::max_rank> extents{};
  const auto begin = shape.extents().begin();
  const auto next = std::copy_n(begin, axis, extents.begin());
  std::copy(begin + static_cast<std::ptrdiff_t>(axis) + 1, shape.extents().end(), next);
  return Shape(std::span<const std::int64_t>(extents.data(), shape.rank() - 1));
}

}  // namespace

std::vector<std::int64_t> equal_sizes(const Shape& shape, std::int64_t count, std::int64_t axis,
                                      const std::source_location& where) {
  const ops::Site site{"split_equally", where};
  const std::int64_t extent = shape[resolve_axis(axis, shape, site.operation, where)];
  if (count <= 0 || extent % count != 0) {
    site.fail("extent " + std::to_string(extent) + " of axis " + std::to_string(axis) +
              " is not made up of " + std::to_string(count) + " equal parts; shape " +
              to_string(shape));
  }
  return host_vector<std::int64_t>(site.operation, count, extent / count);
}

std::vector<Array> split(const Array& x, const std::vector<std::int64_t>& sizes, std::int64_t axis,
                         const Location& where) try {
  const ops::Site site{"split", where};
  const std::size_t along = resolve_axis(axis, x.shape(), site.operation, where);
  std::int64_t total = 0;
  for (const std::int64_t size : sizes) {
    if (size < 0 || size > x.shape()[along] - total) {
      site.fail("size " + std::to_string(size) + " does not fit at position " +
                std::to_string(total) + " of axis " + std::to_string(along) + "; shape " +
                to_string(x.shape()));
    }
    total += size;
  }
  if (total != x.shape()[along]) {
    site.fail("the sizes sum to " + std::to_string(total) + ", not to the extent of axis " +
              std::to_string(along) + "; shape " + to_string(x.shape()));
  }
  auto parts =
      host_vector_with_room<Array>(site.operation, static_cast<std::int64_t>(sizes.size()));
  std::int64_t start = 0;
  for (const std::int64_t size : sizes) {
    parts.push_back(
        part(x, with_extent(x.shape(), along, size), static_cast<std::int64_t>(along), start));
    start += size;
  }
  return parts;
} catch (const std::bad_alloc&) {
  throw_out_of_memory("split");
}

std::vector<Array> unstack(const Array& x, std::int64_t axis, const Location& where) try {
  const std::size_t along = resolve_axis(axis, x.shape(), "unstack", where);
  const Shape rest = without_axis(x.shape(), along);
  const std::vector<std::int64_t> ones = host_vector<std::int64_t>("unstack", x.shape()[along], 1);
  std::vector<Array> parts = split(x, ones, axis, where);
  for (Array& one : parts) {
    one = Array(one, rest);
  }
  return parts;
} catch (const std::bad_alloc&) {
  throw_out_of_memory("unstack");
}

}  // namespace ddx::detail
