#include "ddx/backend/quantized_product.h"

#include "ddx/core/float16.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace ddx::backend {
namespace quantized_product_test {

/// Three rows of two groups. All numbers of 8 bits are 128 + 3, those of 4 bits 8 + 3 in the lower
/// half and 8 - 5 in the upper one; the scales are 1, 2, ... 6.
struct Matrix {
  explicit Matrix(int bits)
      : numbers(static_cast<std::size_t>(3 * 2 * 4 * bits),
                static_cast<std::uint8_t>(bits == 8 ? 131 : 3 << 4 | 11)) {
    for (int i = 1; i <= 6; ++i) {
      scales.emplace_back(i);
    }
    rows = {
        .numbers = numbers.data(), .scales = scales.data(), .rows = 3, .groups = 2, .bits = bits};
  }

  std::vector<std::uint8_t> numbers;
  std::vector<Half> scales;
  QuantizedRows rows;
};

// x is 1, 2, ... in the rows: a sum over a group of 8 bits is 32 * 3 x scale, of 4 bits
// 16 * (3 - 5) x scale; the scales of a row sum to 3, 7 and 11.
TEST(QuantizedProduct, SumsNumbersTimesScales) {
  for (const int bits : {8, 4}) {
    const Matrix w(bits);
    for (std::int64_t count = 1; count <= 19; ++count) {
      std::vector<float> x;
      std::vector<float> expected;
      for (std::int64_t i = 1; i <= count; ++i) {
        x.insert(x.end(), 64, static_cast<float>(i));
        for (const float scales : {3.0F, 7.0F, 11.0F}) {
          expected.push_back(static_cast<float>(i) * scales * (bits == 8 ? 96.0F : -32.0F));
        }
      }
      std::vector<float> y(expected.size());
      multiply_quantized(x.data(), count, w.rows, y.data());
      EXPECT_EQ(y, expected) << bits << ' ' << count;
    }
  }
}

TEST(QuantizedProduct, ElementsEndWithTheColumns) {
  std::vector<float> elements(3 * 35);
  const Matrix eight(8);
  dequantize(eight.rows, 35, elements.data());
  EXPECT_EQ(elements[31], 3);    // Scale 1.
  EXPECT_EQ(elements[34], 6);    // Scale 2.
  EXPECT_EQ(elements[35], 9);    // Of the second row, scale 3.
  EXPECT_EQ(elements[104], 18);  // Scale 6.
  const Matrix four(4);
  dequantize(four.rows, 35, elements.data());
  EXPECT_EQ(elements[15], 3);
  EXPECT_EQ(elements[16], -5);
  EXPECT_EQ(elements[104], 18);
}

}  // namespace quantized_product_test
}  // namespace ddx::backend
