/// \file
/// Products with matrices of small integers, on the processors of this machine.

#pragma once

#include "ddx/core/float16.h"

#include <cstdint>

namespace ddx::backend {

/// How many elements of a row share a scale.
inline constexpr std::int64_t quantized_group = 32;

/// A matrix whose element is (number - zero) scale: numbers of 8 bits around 128, or of 4 bits
/// around 8, of which byte i of a group's 16 has element i and, in its upper half, element i + 16.
/// Rows are whole groups; what is behind the last column has the number zero.
struct QuantizedRows {
  const std::uint8_t* numbers = nullptr;  ///< [rows, groups, 32 or 16]
  const Half* scales = nullptr;           ///< [rows, groups]
  std::int64_t rows = 0;
  std::int64_t groups = 0;
  int bits = 8;
};

/// y = x w^T, for x [count, 32 groups] and y [count, rows]: reads each weight from memory once, and
/// sums in f32. The products are those of the elements that `dequantize` writes.
void multiply_quantized(const float* x, std::int64_t count, const QuantizedRows& w,
                        float* y) noexcept;

/// The elements of rows, [rows, columns], where the groups have at least that many.
void dequantize(const QuantizedRows& w, std::int64_t columns, float* elements) noexcept;

}  // namespace ddx::backend
