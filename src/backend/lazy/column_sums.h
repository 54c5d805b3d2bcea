/// \file
/// Sums of columns, of rows that come a few at a time.

#pragma once

#include "ddx/backend/buffer.h"
#include "ddx/core/dtype.h"
#include "ddx/ops/op.h"

#include "backend/cpu/reduction.h"

#include <cstddef>
#include <cstdint>

namespace ddx::backend::lazy {

/// The sum or mean of each column of an array [rows, width] of f32 or f64, whose rows need never be
/// there together. They come by chunks (cpu::chunks_of_columns), those of a chunk in their order,
/// so the results are those of the kernels to the bit. Parts that run at the same time have chunks
/// of their own.
class ColumnSums {
 public:
  /// Whether rows are so wide that the kernels sum them one by one, too.
  [[nodiscard]] static bool fit(std::int64_t width) noexcept { return width >= cpu::least_wide; }

  /// Requires: fit(width).
  /// Throws:   EnvironmentError where there is no memory.
  ColumnSums(std::int64_t rows, std::int64_t width, DType dtype, std::int64_t parts);

  /// Adds `count` rows, of which the first has the number `row` in its chunk.
  void add(std::int64_t part, std::int64_t chunk, std::int64_t row, const std::byte* elements,
           std::int64_t count) noexcept;
  /// After the last row of a chunk.
  void end_chunk(std::int64_t part, std::int64_t chunk) noexcept;
  /// After all chunks: writes the results.
  void finish(ops::Op op, std::byte* results) const noexcept;

 private:
  [[nodiscard]] std::byte* sums(std::int64_t part) noexcept;
  [[nodiscard]] double* totals(std::int64_t chunk) noexcept;

  std::int64_t rows_;
  std::int64_t width_;
  DType dtype_;
  std::int64_t chunks_;
  std::size_t row_bytes_;
  cpu::Sums::Row add_row_ = cpu::best_sums().add(dtype_);
  Buffer partial_;  // Of each chunk, doubles.
  Buffer sums_;     // Of each part, in the type of the elements.
};

}  // namespace ddx::backend::lazy
