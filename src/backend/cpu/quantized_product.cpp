#include "ddx/backend/quantized_product.h"

#include "backend/cpu/isa.h"
#include "backend/cpu/pool.h"
#include "backend/cpu/quantized_kernels.h"

#include <algorithm>
#include <cstdint>

namespace ddx::backend {
namespace {

cpu::QuantizedKernels kernels_of_processor() noexcept {
  return cpu::at_isa(cpu::best_isa(), []<cpu::Isa isa>() { return cpu::quantized_kernels<isa>(); });
}

/// How many rows have about 64 thousand elements, which take 2 us or more and stay in the second
/// cache for all rows of a left operand. They are whole tiles of rows.
std::int64_t rows_at_a_time(const QuantizedRows& w) noexcept {
  constexpr std::int64_t elements = 1 << 16;
  constexpr std::int64_t tile = 4;
  return std::max(tile, elements / (w.groups * quantized_group) / tile * tile);
}

}  // namespace

void multiply_quantized(const float* x, std::int64_t count, const QuantizedRows& w,
                        float* y) noexcept {
  const auto kernels = kernels_of_processor();
  cpu::for_each_range(w.rows, rows_at_a_time(w), [&](std::int64_t begin, std::int64_t end) {
    kernels.multiply({.x = x, .count = count, .w = w, .begin = begin, .end = end, .y = y});
  });
}

void dequantize(const QuantizedRows& w, std::int64_t columns, float* elements) noexcept {
  const auto kernels = kernels_of_processor();
  cpu::for_each_range(w.rows, rows_at_a_time(w), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      kernels.dequantize(w, row, columns, elements + row * columns);
    }
  });
}

}  // namespace ddx::backend
