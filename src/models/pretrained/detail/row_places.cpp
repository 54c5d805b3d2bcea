#include "models/pretrained/detail/row_places.h"

#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/tensor/detail/array.h"

#include "models/pretrained/detail/arrangement.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <span>
#include <vector>

namespace ddx::models::detail {
namespace {

/// Some rows at a time, which the nearest cache holds while all their columns are written.
template <std::size_t ElementBytes>
void write_columns(const MatrixRows& from, std::span<const std::int64_t> places,
                   std::int64_t stride, std::span<std::uint8_t> to) {
  constexpr std::int64_t side = 16;
  for (std::int64_t row = 0; row < from.rows; row += side) {
    const std::int64_t last_row = std::min(from.rows, row + side);
    for (std::int64_t column = 0; column < from.columns; ++column) {
      for (std::int64_t i = row; i < last_row; ++i) {
        const std::int64_t place = column * stride + places[static_cast<std::size_t>(i)];
        const std::int64_t source = i * from.columns + column;
        std::memcpy(to.data() + static_cast<std::size_t>(place) * ElementBytes,
                    from.elements.data() + static_cast<std::size_t>(source) * ElementBytes,
                    ElementBytes);
      }
    }
  }
}

}  // namespace

std::vector<std::int64_t> row_places(const Arrangement& arranged, std::int64_t rows) {
  std::vector<std::int64_t> places(static_cast<std::size_t>(rows));
  std::iota(places.begin(), places.end(), std::int64_t{0});
  if (!arranged.moves) {
    return places;
  }
  ddx::detail::Array numbers(arranged.theirs, DType::i64, Device::cpu());
  std::memcpy(numbers.mutable_data(), places.data(), places.size() * sizeof(std::int64_t));
  const ddx::detail::Array sources = to_ours(numbers, arranged);
  const auto* const source = static_cast<const std::int64_t*>(sources.data());
  for (std::int64_t place = 0; place < rows; ++place) {
    places[static_cast<std::size_t>(source[place])] = place;
  }
  return places;
}

void rows_to_columns(const MatrixRows& from, std::span<const std::int64_t> places,
                     std::int64_t stride, std::span<std::uint8_t> to) {
  if (from.element_bytes == sizeof(std::uint16_t)) {
    write_columns<sizeof(std::uint16_t)>(from, places, stride, to);
  } else if (from.element_bytes == sizeof(std::uint32_t)) {
    write_columns<sizeof(std::uint32_t)>(from, places, stride, to);
  } else {
    write_columns<sizeof(std::uint64_t)>(from, places, stride, to);
  }
}

}  // namespace ddx::models::detail
