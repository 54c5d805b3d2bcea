/// \file
/// Rows of published matrices as columns of the model's.

#pragma once

#include "models/pretrained/detail/arrangement.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ddx::models::detail {

/// Where each of the rows of a file goes among those of the model, for an arrangement of
/// `row_arrangement` with one column.
[[nodiscard]] std::vector<std::int64_t> row_places(const Arrangement& arranged, std::int64_t rows);

/// Some rows of a matrix.
struct MatrixRows {
  std::span<const std::uint8_t> elements;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::size_t element_bytes = 0;  ///< 2, 4 or 8.
};

/// Writes rows as columns of a matrix with rows of `stride` elements: row `i` as number
/// `places[i]`.
void rows_to_columns(const MatrixRows& from, std::span<const std::int64_t> places,
                     std::int64_t stride, std::span<std::uint8_t> to);

}  // namespace ddx::models::detail
