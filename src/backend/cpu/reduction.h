/// \file
/// How long runs of elements are reduced, for callers that do it piece by piece.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace ddx::backend::cpu {

// A chunk of a reduction has about this many elements. The number of chunks follows from the shape
// alone and their results are combined in order, so sums do not depend on the number of threads.
inline constexpr std::int64_t reduction_grain = 65536;
inline constexpr std::int64_t most_chunks = 16;

/// In how many chunks so many elements are reduced.
inline std::int64_t chunks_of(std::int64_t elements) {
  return std::clamp<std::int64_t>(elements / reduction_grain, 1, most_chunks);
}

// Partial sums in the element type are at most this long, then they go into double: the error of a
// sum does not grow with its length.
inline constexpr std::int64_t sum_block = 4096;

// Of columns, partial sums in the element type are of so many rows at most.
inline constexpr std::int64_t rows_in_sum = 256;

// Columns of narrower rows are summed in several rows at once.
inline constexpr std::int64_t least_wide = 64;

/// In how many chunks of rows the columns of [rows, width] are summed.
inline std::int64_t chunks_of_columns(std::int64_t rows, std::int64_t width) {
  return std::min(chunks_of(rows * width), std::max<std::int64_t>(rows, 1));
}

/// Sums piece by piece, for an instruction set.
struct Sums {
  /// `total` and the elements, added as the kernel of `sum` adds those of a chunk: from 0 on, whole
  /// blocks of sum_block elements each time but the last make the bits of a chunk at once.
  using Running = double (*)(double total, const std::byte* elements, std::int64_t count) noexcept;
  /// The sum of a block of f32 of which the partial sums have been made: four vectors, whose lanes
  /// are the sums that the kernels have there, and behind them the last elements that fill no
  /// vector.
  using Joined = double (*)(const float* sums, std::int64_t count) noexcept;

  /// Adds the elements of a row to sums in their type.
  using Row = void (*)(std::byte* sums, const std::byte* row, std::int64_t count) noexcept;

  Running of_f32;
  Running of_f64;
  Joined of_partial_sums;
  Row add_f32;
  Row add_f64;

  /// Requires: f32 or f64.
  [[nodiscard]] Running of(DType dtype) const noexcept {
    return dtype == DType::f32 ? of_f32 : of_f64;
  }
  [[nodiscard]] Row add(DType dtype) const noexcept {
    return dtype == DType::f32 ? add_f32 : add_f64;
  }
};

/// Those of this processor.
[[nodiscard]] Sums best_sums() noexcept;

/// An array seen as [outer, reduced, inner]: the reduced axes are neighbours.
struct ReducedBlock {
  std::int64_t outer = 1;
  std::int64_t reduced = 1;
  std::int64_t inner = 1;
  bool fits = true;  ///< Whether the array can be seen so.

  ReducedBlock(const Shape& x, const ops::ReductionAttributes& attributes) noexcept;
};

}  // namespace ddx::backend::cpu
