/// \file
/// The kernels of quantised matrices of each instruction set: isa/quantized_*.cpp.

#pragma once

#include "ddx/backend/quantized_product.h"

#include "backend/cpu/isa.h"

#include <cstdint>

namespace ddx::backend::cpu {

/// Some rows of a left operand times some rows of a quantised matrix, [begin, end).
struct QuantizedPart {
  const float* x = nullptr;  ///< [count, 32 groups]
  std::int64_t count = 0;
  QuantizedRows w;
  std::int64_t begin = 0;
  std::int64_t end = 0;
  float* y = nullptr;  ///< [count, w.rows]
};

struct QuantizedKernels {
  void (*multiply)(const QuantizedPart& part) noexcept;
  /// The elements of a row, of which there are `columns`.
  void (*dequantize)(const QuantizedRows& w, std::int64_t row, std::int64_t columns,
                     float* elements) noexcept;
};

template <Isa isa>
[[nodiscard]] QuantizedKernels quantized_kernels() noexcept;

template <>
QuantizedKernels quantized_kernels<Isa::Baseline>() noexcept;
template <>
QuantizedKernels quantized_kernels<Isa::Avx2>() noexcept;
template <>
QuantizedKernels quantized_kernels<Isa::Avx512>() noexcept;

}  // namespace ddx::backend::cpu
