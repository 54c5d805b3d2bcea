#include "ddx/backend/quantized_product.h"

#include "ddx/core/float16.h"

#include "backend/cpu/isa.h"
#include "backend/cpu/pool.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ddx::backend {
namespace {

using Sixteen = float __attribute__((vector_size(64)));
using SixteenBytes = std::uint8_t __attribute__((vector_size(16)));

/// The left operand and the result of a product.
struct Product {
  const float* x = nullptr;
  float* y = nullptr;
};

/// Rows of a matrix, [begin, end).
struct RowRange {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

/// The numbers of group `g` counted over all rows, without its scale.
template <int bits>
[[gnu::always_inline]] inline void load_group(const QuantizedRows& w, std::int64_t g,
                                              Sixteen& first, Sixteen& second) noexcept {
  SixteenBytes low;
  SixteenBytes high;
  if constexpr (bits == 8) {
    std::memcpy(&low, w.numbers + 32 * g, sizeof(low));
    std::memcpy(&high, w.numbers + 32 * g + 16, sizeof(high));
    first = __builtin_convertvector(low, Sixteen) - 128.0F;
    second = __builtin_convertvector(high, Sixteen) - 128.0F;
  } else {
    SixteenBytes both;
    std::memcpy(&both, w.numbers + 16 * g, sizeof(both));
    low = both & 15;
    high = both >> 4;
    first = __builtin_convertvector(low, Sixteen) - 8.0F;
    second = __builtin_convertvector(high, Sixteen) - 8.0F;
  }
}

[[gnu::always_inline]] inline float scale_at(const QuantizedRows& w, std::int64_t g) noexcept {
  return static_cast<float>(std::bit_cast<_Float16>(w.scales[g].bits()));
}

/// The products of `count` rows with some rows of the matrix.
template <int bits, int count>
[[gnu::always_inline]] inline void multiply_rows(const Product& product, const QuantizedRows& w,
                                                 const RowRange& range) noexcept {
  for (std::int64_t row = range.begin; row < range.end; ++row) {
    std::array<Sixteen, count> sums{};
    for (std::int64_t g = 0; g < w.groups; ++g) {
      const std::int64_t place = row * w.groups + g;
      Sixteen first;
      Sixteen second;
      load_group<bits>(w, place, first, second);
      const float scale = scale_at(w, place);
#pragma clang loop unroll(full)
      for (int i = 0; i < count; ++i) {
        Sixteen a;
        Sixteen b;
        const float* const x = product.x + (i * w.groups + g) * quantized_group;
        std::memcpy(&a, x, sizeof(a));
        std::memcpy(&b, x + 16, sizeof(b));
        const Sixteen part = first * a + second * b;
        sums[static_cast<std::size_t>(i)] += scale * part;
      }
    }
    for (int i = 0; i < count; ++i) {
      const Sixteen& sum = sums[static_cast<std::size_t>(i)];
      float total = 0;
      for (int lane = 0; lane < 16; ++lane) {
        total += sum[lane];
      }
      product.y[i * w.rows + row] = total;
    }
  }
}

template <int bits>
[[gnu::always_inline]] inline void multiply_counted(const Product& product, std::int64_t count,
                                                    const QuantizedRows& w,
                                                    const RowRange& range) noexcept {
  switch (count) {
    case 1:
      return multiply_rows<bits, 1>(product, w, range);
    case 2:
      return multiply_rows<bits, 2>(product, w, range);
    case 3:
      return multiply_rows<bits, 3>(product, w, range);
    default:
      return multiply_rows<bits, most_quantized_rows>(product, w, range);
  }
}

/// For the instruction set of the caller, into which it is inlined.
[[gnu::always_inline]] inline void multiply_range(const Product& product, std::int64_t count,
                                                  const QuantizedRows& w,
                                                  const RowRange& range) noexcept {
  if (w.bits == 8) {
    multiply_counted<8>(product, count, w, range);
  } else {
    multiply_counted<4>(product, count, w, range);
  }
}

using Multiply = void (*)(const Product&, std::int64_t, const QuantizedRows&, const RowRange&);

void multiply_baseline(const Product& product, std::int64_t count, const QuantizedRows& w,
                       const RowRange& range) noexcept {
  multiply_range(product, count, w, range);
}
[[gnu::target("avx2,fma,f16c,bmi,bmi2,lzcnt")]] void multiply_avx2(const Product& product,
                                                                   std::int64_t count,
                                                                   const QuantizedRows& w,
                                                                   const RowRange& range) noexcept {
  multiply_range(product, count, w, range);
}
[[gnu::target("avx2,fma,f16c,bmi,bmi2,lzcnt,avx512f,avx512dq,avx512cd,avx512bw,avx512vl")]] void
multiply_avx512(const Product& product, std::int64_t count, const QuantizedRows& w,
                const RowRange& range) noexcept {
  multiply_range(product, count, w, range);
}

Multiply multiply_of(cpu::Isa isa) noexcept {
  switch (isa) {
    case cpu::Isa::Baseline:
      return multiply_baseline;
    case cpu::Isa::Avx2:
      return multiply_avx2;
    case cpu::Isa::Avx512:
      return multiply_avx512;
  }
  __builtin_unreachable();
}

template <int bits>
void dequantize_row(const QuantizedRows& w, std::int64_t row, std::int64_t columns,
                    float* elements) noexcept {
  for (std::int64_t begin = 0; begin < columns; begin += quantized_group) {
    const std::int64_t place = row * w.groups + begin / quantized_group;
    std::array<Sixteen, 2> numbers;
    load_group<bits>(w, place, numbers[0], numbers[1]);
    const float scale = scale_at(w, place);
    numbers[0] *= scale;
    numbers[1] *= scale;
    const auto size = std::min(quantized_group, columns - begin);
    std::memcpy(elements + row * columns + begin, numbers.data(),
                static_cast<std::size_t>(size) * sizeof(float));
  }
}

/// How many rows have about 64 thousand elements, which take 10 us or more.
std::int64_t rows_at_a_time(const QuantizedRows& w) noexcept {
  constexpr std::int64_t elements = 1 << 16;
  return std::max<std::int64_t>(1, elements / (w.groups * quantized_group));
}

}  // namespace

void multiply_quantized(const float* x, std::int64_t count, const QuantizedRows& w,
                        float* y) noexcept {
  const Product product{.x = x, .y = y};
  const auto multiply = multiply_of(cpu::best_isa());
  cpu::for_each_range(w.rows, rows_at_a_time(w), [&](std::int64_t begin, std::int64_t end) {
    multiply(product, count, w, {.begin = begin, .end = end});
  });
}

void dequantize(const QuantizedRows& w, std::int64_t columns, float* elements) noexcept {
  cpu::for_each_range(w.rows, rows_at_a_time(w), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      if (w.bits == 8) {
        dequantize_row<8>(w, row, columns, elements);
      } else {
        dequantize_row<4>(w, row, columns, elements);
      }
    }
  });
}

}  // namespace ddx::backend
