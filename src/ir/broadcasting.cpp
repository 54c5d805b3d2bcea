#include "ir/detail/broadcasting.h"

#include "ddx/core/shape.h"

#include <algorithm>
#include <cstddef>

namespace ddx::ir::detail {
namespace {

/// The number of leading extents of 1 of a shape.
std::size_t leading_ones(const Shape& shape) {
  std::size_t count = 0;
  while (count < shape.rank() && shape[count] == 1) {
    ++count;
  }
  return count;
}

}  // namespace

bool is_row_of(const Shape& shape, const Shape& loop) {
  const auto extents = shape.extents().subspan(leading_ones(shape));
  return extents.size() <= loop.rank() &&
         std::ranges::equal(extents, loop.extents().last(extents.size()));
}

bool is_column_of(const Shape& shape, const Shape& loop) {
  if (shape.rank() != loop.rank()) {
    return false;
  }
  std::size_t rank = shape.rank();
  while (rank > 0 && shape[rank - 1] == 1) {
    --rank;
  }
  return std::ranges::equal(shape.extents().first(rank), loop.extents().first(rank));
}

}  // namespace ddx::ir::detail
