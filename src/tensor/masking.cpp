#include "ddx/tensor/masking.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/dtype.h"
#include "ddx/core/indices.h"
#include "ddx/core/shape.h"
#include "ddx/ops/site.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/tensor.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <source_location>
#include <span>
#include <string>
#include <vector>

namespace ddx::detail {

Tensor<std::int32_t> flat_nonzero(const Array& x, const std::source_location& where) {
  const std::int64_t count = x.shape().count();
  if (count > std::numeric_limits<std::int32_t>::max()) {
    ops::Site{"nonzero", where}.fail(
        "there are more elements than indices of 32 bits count; shape " + to_string(x.shape()));
  }
  std::vector<std::int32_t> places;
  visit(x.dtype(), [&](auto element) {
    const auto* values = static_cast<const decltype(element)*>(x.data());
    for (std::int32_t i = 0; i < count; ++i) {
      if (values[i] != decltype(element){}) {
        places.push_back(i);
      }
    }
  });
  return Tensor<std::int32_t>(Shape{static_cast<std::int64_t>(places.size())}, places, x.device());
}

Tensor<std::int32_t> positions_of(const Tensor<std::int32_t>& places, const Shape& shape) {
  const std::size_t rank = shape.rank();
  std::vector<std::int32_t> positions(places.count() * rank);
  for (std::size_t i = 0; i < places.count(); ++i) {
    std::int64_t rest = places.elements()[i];
    for (std::size_t axis = rank; axis-- > 0;) {
      positions[i * rank + axis] = static_cast<std::int32_t>(rest % shape[axis]);
      rest /= shape[axis];
    }
  }
  return Tensor<std::int32_t>(
      Shape{static_cast<std::int64_t>(places.count()), static_cast<std::int64_t>(rank)}, positions,
      places.device());
}

Indices masked_rows(const Shape& shape, const Shape& mask, const std::source_location& where) try {
  const auto all = shape.extents();
  const auto chosen = mask.extents();
  if (chosen.size() > all.size() || !std::equal(chosen.begin(), chosen.end(), all.begin())) {
    ops::Site{"boolean_mask", where}.fail(
        "the operand does not begin with the axes of the mask; "
        "shapes " +
        to_string(shape) + " and " + to_string(mask));
  }
  std::vector<std::int64_t> rows{mask.count()};
  rows.insert(rows.end(), all.begin() + static_cast<std::ptrdiff_t>(chosen.size()), all.end());
  return Indices(std::span<const std::int64_t>(rows));
} catch (const std::bad_alloc&) {
  throw_out_of_memory("masked_rows");
}

}  // namespace ddx::detail
