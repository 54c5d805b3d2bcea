#include "ddx/tensor/diagonal.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/indices.h"
#include "ddx/core/shape.h"
#include "ddx/ops/site.h"
#include "ddx/tensor/tensor.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <source_location>
#include <span>
#include <vector>

namespace ddx::detail {

MatrixExtents matrix_extents(const char* operation, const Shape& shape,
                             const std::source_location& where) try {
  if (shape.rank() < 2) {
    ops::Site{operation, where}.fail("the operand is no matrix; shape " + to_string(shape));
  }
  return {shape[shape.rank() - 2], shape[shape.rank() - 1]};
} catch (const std::bad_alloc&) {
  throw_out_of_memory(operation);
}

MatrixExtents square_extents(const char* operation, const Shape& shape,
                             const std::source_location& where) try {
  const MatrixExtents extents = matrix_extents(operation, shape, where);
  if (extents.rows != extents.columns) {
    ops::Site{operation, where}.fail("the matrices are not square; shape " + to_string(shape));
  }
  return extents;
} catch (const std::bad_alloc&) {
  throw_out_of_memory(operation);
}

Tensor<bool> band(std::int64_t rows, std::int64_t columns, std::int64_t lower, std::int64_t upper,
                  Device device, const std::source_location& where) {
  // On the host: on a recording device, to write elements would run what has been recorded.
  auto mask = zeros<bool>(Shape({rows, columns}, where), Device::naive());
  if (mask.count() == 0) {
    return mask.to(device);  // There may be very many rows of no columns.
  }
  const auto cells = mask.mutable_elements();
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::int64_t first = lower < 0 ? 0 : std::max<std::int64_t>(row - lower, 0);
    const std::int64_t past = upper < 0 || upper >= columns - row ? columns : row + upper + 1;
    for (std::int64_t column = first; column < past; ++column) {
      cells[static_cast<std::size_t>(row * columns + column)] = true;
    }
  }
  return mask.to(device);
}

Indices joined_matrix(const Shape& shape) {
  std::vector<std::int64_t> extents(shape.extents().begin(), shape.extents().end());
  const std::int64_t columns = extents.back();
  extents.pop_back();
  extents.back() *= columns;
  return Indices(std::span<const std::int64_t>(extents));
}

Tensor<std::int32_t> diagonal_places(const MatrixExtents& extents, Device device,
                                     const std::source_location& where) {
  const std::int64_t count = std::min(extents.rows, extents.columns);
  const Shape matrix({extents.rows, extents.columns}, where);
  ops::Site{"diagonal_part", where}.check_places(count * (extents.columns + 1) - extents.columns,
                                                 matrix);
  std::vector<std::int32_t> places;
  for (std::int64_t i = 0; i < count; ++i) {
    places.push_back(static_cast<std::int32_t>(i * (extents.columns + 1)));
  }
  return Tensor<std::int32_t>(Shape{static_cast<std::int64_t>(places.size())}, places, device);
}

}  // namespace ddx::detail
