// Products with quantised matrices, of every instruction set, beside sums in double.

#include "backend/cpu/quantized_kernels.h"

#include "ddx/backend/quantized_product.h"
#include "ddx/core/float16.h"

#include "backend/cpu/isa.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace ddx::backend::cpu {
namespace quantized_kernels_test {

/// A matrix of random numbers, and its elements by the definition of QuantizedRows.
struct Matrix {
  Matrix(std::int64_t row_count, std::int64_t group_count, int bit_count)
      : numbers(static_cast<std::size_t>(row_count * group_count * 4 * bit_count)) {
    std::mt19937 draw(3);
    for (auto& number : numbers) {
      number = static_cast<std::uint8_t>(draw());
    }
    for (std::int64_t i = 0; i < row_count * group_count; ++i) {
      scales.emplace_back(static_cast<float>(static_cast<int>(draw() % 2000) - 1000) / 4096.0F);
    }
    rows = {.numbers = numbers.data(),
            .scales = scales.data(),
            .rows = row_count,
            .groups = group_count,
            .bits = bit_count};
  }

  [[nodiscard]] float element(std::int64_t row, std::int64_t column) const {
    const std::int64_t group = row * rows.groups + column / 32;
    const std::int64_t i = column % 32;
    const auto scale = static_cast<float>(scales[static_cast<std::size_t>(group)]);
    if (rows.bits == 8) {
      return static_cast<float>(numbers[static_cast<std::size_t>(group * 32 + i)] - 128) * scale;
    }
    const int both = numbers[static_cast<std::size_t>(group * 16 + i % 16)];
    return static_cast<float>((i < 16 ? both & 15 : both >> 4) - 8) * scale;
  }

  std::vector<std::uint8_t> numbers;
  std::vector<Half> scales;
  QuantizedRows rows;
};

/// Calls a function for each instruction set that the processor has.
template <class F>
void for_each_isa(const F& f) {
  for (const Isa isa : {Isa::Baseline, Isa::Avx2, Isa::Avx512}) {
    if (isa <= best_isa()) {
      SCOPED_TRACE("level " + std::to_string(static_cast<int>(isa)));
      f(at_isa(isa, []<Isa at>() { return quantized_kernels<at>(); }));
    }
  }
}

/// Rows of x, none of which is 0.
std::vector<float> left_rows(std::int64_t count, std::int64_t width) {
  std::vector<float> x(static_cast<std::size_t>(count * width));
  std::mt19937 draw(5);
  std::ranges::generate(x, [&] { return static_cast<float>(draw() % 255 + 1) / 64.0F - 2.0F; });
  return x;
}

/// Compares the products with some rows of w, [1, 6) of 7, with sums in double.
void expect_right_products(const QuantizedKernels& kernels, const Matrix& w, std::int64_t count) {
  const std::int64_t width = w.rows.groups * quantized_group;
  const auto x = left_rows(count, width);
  std::vector<float> y(static_cast<std::size_t>(count * w.rows.rows), 77);
  kernels.multiply(
      {.x = x.data(), .count = count, .w = w.rows, .begin = 1, .end = 6, .y = y.data()});
  for (std::int64_t i = 0; i < count; ++i) {
    for (std::int64_t row = 0; row < w.rows.rows; ++row) {
      double sum = 0;
      double size = 0;
      for (std::int64_t k = 0; k < width; ++k) {
        const double term = static_cast<double>(x[static_cast<std::size_t>(i * width + k)]) *
                            static_cast<double>(w.element(row, k));
        sum += term;
        size += std::abs(term);
      }
      const double found = static_cast<double>(y[static_cast<std::size_t>(i * w.rows.rows + row)]);
      if (row == 0 || row == 6) {
        ASSERT_EQ(found, 77) << "not a row of the part";
      } else {
        // Elements are exact; products and sums are rounded.
        ASSERT_NEAR(
            found, sum,
            size * std::numeric_limits<float>::epsilon() * std::sqrt(static_cast<double>(width)))
            << i << ' ' << row;
      }
    }
  }
}

// A group, groups that fill no vector of scales, and more than are converted together.
TEST(QuantizedKernels, MultiplyAnyNumberOfRows) {
  for_each_isa([](const QuantizedKernels& kernels) {
    for (const int bits : {8, 4}) {
      for (const std::int64_t groups : {1, 5, 67}) {
        const Matrix w(7, groups, bits);
        for (const std::int64_t count : {1, 2, 3, 4, 5, 7, 8, 11, 17}) {
          SCOPED_TRACE(std::to_string(bits) + " bits, " + std::to_string(groups) + " groups, " +
                       std::to_string(count) + " rows");
          expect_right_products(kernels, w, count);
        }
      }
    }
  });
}

TEST(QuantizedKernels, ElementsAreNumbersTimesScales) {
  for_each_isa([](const QuantizedKernels& kernels) {
    for (const int bits : {8, 4}) {
      const Matrix w(2, 3, bits);
      constexpr std::int64_t columns = 77;
      std::vector<float> elements(columns + 1, 77);
      kernels.dequantize(w.rows, 1, columns, elements.data());
      for (std::int64_t k = 0; k < columns; ++k) {
        ASSERT_EQ(elements[static_cast<std::size_t>(k)], w.element(1, k)) << bits << ' ' << k;
      }
      EXPECT_EQ(elements.back(), 77) << "behind the last column";
    }
  });
}

TEST(QuantizedKernels, MultiplyNothing) {
  for_each_isa([](const QuantizedKernels& kernels) {
    const Matrix w(4, 1, 4);
    float y = 77;
    kernels.multiply({.x = nullptr, .count = 0, .w = w.rows, .begin = 0, .end = 4, .y = &y});
    kernels.multiply({.x = nullptr, .count = 1, .w = w.rows, .begin = 2, .end = 2, .y = &y});
    EXPECT_EQ(y, 77);
  });
}

}  // namespace quantized_kernels_test
}  // namespace ddx::backend::cpu
