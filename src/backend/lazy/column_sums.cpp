#include "backend/lazy/column_sums.h"

#include "ddx/backend/buffer.h"
#include "ddx/core/dtype.h"
#include "ddx/ops/op.h"

#include "backend/alignment.h"
#include "backend/cpu/reduction.h"
#include "backend/lazy/loop_reductions.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ddx::backend::lazy {

ColumnSums::ColumnSums(std::int64_t rows, std::int64_t width, DType dtype, std::int64_t parts)
    : rows_(rows),
      width_(width),
      dtype_(dtype),
      chunks_(cpu::chunks_of_columns(rows, width)),
      row_bytes_(static_cast<std::size_t>(width) * info(dtype).bytes),
      partial_(static_cast<std::size_t>(chunks_ * width) * sizeof(double)),
      sums_(static_cast<std::size_t>(parts) * aligned(row_bytes_)) {
  std::memset(partial_.data(), 0, static_cast<std::size_t>(chunks_ * width) * sizeof(double));
  std::memset(sums_.data(), 0, static_cast<std::size_t>(parts) * aligned(row_bytes_));
}

std::byte* ColumnSums::sums(std::int64_t part) noexcept {
  return sums_.data() + static_cast<std::size_t>(part) * aligned(row_bytes_);
}

double* ColumnSums::totals(std::int64_t chunk) noexcept {
  return reinterpret_cast<double*>(partial_.data()) + chunk * width_;
}

void ColumnSums::add(std::int64_t part, std::int64_t chunk, std::int64_t row,
                     const std::byte* elements, std::int64_t count) noexcept {
  std::byte* const to = sums(part);
  for (std::int64_t i = 0; i < count; ++i) {
    if (row + i > 0 && (row + i) % cpu::rows_in_sum == 0) {
      end_chunk(part, chunk);
    }
    add_row_(to, elements, width_);
    elements += row_bytes_;
  }
}

void ColumnSums::end_chunk(std::int64_t part, std::int64_t chunk) noexcept {
  double* const to = totals(chunk);
  std::byte* const from = sums(part);
  if (dtype_ == DType::f32) {
    const auto* const own = reinterpret_cast<const float*>(from);
    for (std::int64_t i = 0; i < width_; ++i) {
      to[i] += static_cast<double>(own[i]);
    }
  } else {
    const auto* const own = reinterpret_cast<const double*>(from);
    for (std::int64_t i = 0; i < width_; ++i) {
      to[i] += own[i];
    }
  }
  std::memset(from, 0, row_bytes_);
}

void ColumnSums::finish(ops::Op op, std::byte* results) const noexcept {
  const auto* const partial = reinterpret_cast<const double*>(partial_.data());
  for (std::int64_t i = 0; i < width_; ++i) {
    double total = 0;
    for (std::int64_t chunk = 0; chunk < chunks_; ++chunk) {
      total += partial[chunk * width_ + i];
    }
    write_sum(op, dtype_, total, rows_, results + static_cast<std::size_t>(i) * info(dtype_).bytes);
  }
}

}  // namespace ddx::backend::lazy
