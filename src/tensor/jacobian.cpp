#include "ddx/tensor/jacobian.h"

#include "ddx/core/indices.h"
#include "ddx/core/shape.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ddx::detail {

Shape joined_shape(const Shape& first, const Shape& second) {
  std::vector<std::int64_t> extents(first.extents().begin(), first.extents().end());
  extents.insert(extents.end(), second.extents().begin(), second.extents().end());
  return Shape(extents);
}

Indices last_axes_first(std::size_t rank, std::size_t count) {
  std::vector<std::int64_t> order;
  for (std::size_t i = 0; i < rank; ++i) {
    order.push_back(static_cast<std::int64_t>((i + rank - count) % rank));
  }
  return Indices(order);
}

}  // namespace ddx::detail
