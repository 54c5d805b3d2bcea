#include "io/detail/torch/strided_copy.h"

#include "ddx/core/shape.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace ddx::io::detail {
namespace {

template <std::size_t size>
void copy_elements(std::span<const std::uint8_t> bytes, const Shape& shape, const Strides& strides,
                   std::vector<std::uint8_t>& into) {
  std::array<Shape::Extent, Shape::max_rank> index{};
  std::size_t place = 0;
  const auto count = static_cast<std::size_t>(shape.count());
  for (std::size_t i = 0; i < count; ++i) {
    std::memcpy(into.data() + i * size, bytes.data() + place * size, size);
    // To the next element: the last axis that has one, and the axes behind it from their beginning.
    for (std::size_t axis = shape.rank(); axis-- > 0;) {
      place += static_cast<std::size_t>(strides[axis]);
      if (++index[axis] < shape[axis]) {
        break;
      }
      place -= static_cast<std::size_t>(strides[axis]) * static_cast<std::size_t>(shape[axis]);
      index[axis] = 0;
    }
  }
}

}  // namespace

bool is_dense(const Shape& shape, const Strides& strides) noexcept {
  const auto dense = dense_strides(shape);
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    if (shape[axis] != 1 && strides[axis] != dense[axis]) {
      return shape.is_empty();
    }
  }
  return true;
}

std::vector<std::uint8_t> strided_copy(std::span<const std::uint8_t> bytes, const Shape& shape,
                                       const Strides& strides, std::size_t element_bytes) {
  std::vector<std::uint8_t> result(static_cast<std::size_t>(shape.count()) * element_bytes);
  if (is_dense(shape, strides)) {
    if (!result.empty()) {
      std::memcpy(result.data(), bytes.data(), result.size());
    }
    return result;
  }
  switch (element_bytes) {
    case 1:
      copy_elements<1>(bytes, shape, strides, result);
      break;
    case 2:
      copy_elements<2>(bytes, shape, strides, result);
      break;
    case 4:
      copy_elements<4>(bytes, shape, strides, result);
      break;
    case 8:
      copy_elements<8>(bytes, shape, strides, result);
      break;
    default:
      copy_elements<16>(bytes, shape, strides, result);
  }
  return result;
}

}  // namespace ddx::io::detail
