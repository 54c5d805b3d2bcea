#include "ddx/tensor/quantized_matrix.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

namespace ddx {
namespace quantized_matrix_test {

using ddx::testing::thrown;

Tensor<float> random(const Shape& shape, std::uint64_t seed) {
  return random_normal<float>(RandomKey(seed), shape);
}

// By hand: the scales are 127 / 127 = 1, and -16 / -8 = 2.
TEST(QuantizedMatrix, RoundsEachElementToTheNearestNumber) {
  const auto eight = quantized(Tensor<float>({1, 4}, {127, -2.4F, 0.6F, -127}), 8);
  EXPECT_EQ(dequantized<float>(eight), Tensor<float>({1, 4}, {127, -2, 1, -127}));
  EXPECT_EQ(eight.numbers.shape(), (Shape{1, 32}));
  const auto four = quantized(Tensor<float>({1, 5}, {-16, 16, 2.9F, 3.1F, -0.9F}), 4);
  EXPECT_EQ(dequantized<float>(four), Tensor<float>({1, 5}, {-16, 14, 2, 4, 0}));
  EXPECT_EQ(four.numbers.shape(), (Shape{1, 16}));
  EXPECT_EQ(four.numbers.elements()[0], 8 << 4);  // 0 in the low half: -8; 8 behind the columns.
  EXPECT_EQ(dequantized<float>(quantized(Tensor<float>({1, 2}, {0, 0}), 8)),
            Tensor<float>({1, 2}, {0, 0}));
}

// Half a step of 8 bits; of 4 bits one where the largest positive element gets 7 for 8. The scale
// is rounded by 2^-11 of itself, which moves the outermost number by 0.0625 or less.
TEST(QuantizedMatrix, ErrorsAreWithinAStepOfTheGroup) {
  constexpr std::size_t columns = 70;
  const auto matrix = random({9, columns}, 1);
  for (const int bits : {8, 4}) {
    const auto found = dequantized<float>(quantized(matrix, bits));
    for (std::size_t i = 0; i < matrix.count(); ++i) {
      const std::size_t row = i / columns * columns;
      const std::size_t first = row + (i - row) / 32 * 32;
      const std::size_t last = std::min(first + 32, row + columns);
      float largest = 0;
      for (std::size_t j = first; j < last; ++j) {
        largest = std::max(largest, std::abs(matrix.elements()[j]));
      }
      const float step = bits == 8 ? largest / 127 * 0.5625F : largest / 8 * 1.01F;
      EXPECT_LE(std::abs(found.elements()[i] - matrix.elements()[i]), step) << bits << ' ' << i;
    }
  }
}

// A sum of n products in f32, in any order, is off by at most n 2^-23 of the sum of magnitudes.
void expect_product(std::int64_t count, std::int64_t rows, std::int64_t columns, int bits,
                    Device device) {
  const auto w = quantized(random({rows, columns}, 2).to(device), bits);
  const auto x = random({1, count, columns}, 3).to(device);
  const auto y = quantized_matmul(x, w);
  ASSERT_EQ(y.shape(), (Shape{1, count, rows}));
  const auto elements = dequantized<float>(w);
  for (std::int64_t i = 0; i < count; ++i) {
    for (std::int64_t j = 0; j < rows; ++j) {
      double sum = 0;
      double size = 0;
      for (std::int64_t k = 0; k < columns; ++k) {
        const double term =
            static_cast<double>(x[{0, i, k}]) * static_cast<double>(elements[{j, k}]);
        sum += term;
        size += std::abs(term);
      }
      EXPECT_NEAR(static_cast<double>(y[{0, i, j}]), sum,
                  static_cast<double>(columns) * 0x1p-23 * size)
          << count << ' ' << columns << ' ' << bits << ' ' << to_string(device) << ' ' << i << j;
    }
  }
}

TEST(QuantizedMatrix, ProductsAreThoseWithItsElements) {
  for (const int bits : {8, 4}) {
    for (const Device device : {Device::cpu(), Device::naive(), Device::lazy()}) {
      for (const std::int64_t count : {1, 2, 3, 4, 7, 17}) {
        expect_product(count, 3, 70, bits, device);
      }
    }
    expect_product(1, 5, 64, bits, Device::cpu());
    expect_product(2, 70, 4000, bits, Device::cpu());  // In several chunks.
  }
}

TEST(QuantizedMatrix, EveryDeviceHasTheSameElements) {
  const auto matrix = random({3, 70}, 4);
  for (const int bits : {8, 4}) {
    const auto expected = dequantized<float>(quantized(matrix, bits));
    for (const Device device : {Device::naive(), Device::lazy()}) {
      EXPECT_EQ(dequantized<float>(quantized(matrix.to(device), bits)), expected) << bits;
    }
  }
}

TEST(QuantizedMatrix, FaultsAreNamed) {
  const auto w = quantized(random({3, 40}, 5), 8);
  const auto begins = [](const std::string& message, const std::string& start) {
    EXPECT_TRUE(message.starts_with(start)) << message;
  };
  begins(thrown<UsageError>([&] { (void)quantized(random({3, 40}, 5), 5); }),
         "quantized: 5 bits, only 8 and 4 are supported");
  begins(thrown<UsageError>([&] { (void)quantized(random({40}, 5), 8); }),
         "quantized: shape [40], expected [rows, columns]");
  begins(thrown<UsageError>([&] {
           (void)quantized(Tensor<float>({1, 1}, {std::numeric_limits<float>::infinity()}), 8);
         }),
         "quantized: an element of row 0 is not finite");
  begins(thrown<UsageError>([&] { (void)quantized(Tensor<float>({1, 1}, {1e9F}), 4); }),
         "quantized: a scale of row 0 is beyond 65504");
  begins(thrown<UsageError>([&] { (void)quantized_matmul(random({2, 41}, 1), w); }),
         "quantized_matmul: x [2, 41] and w [3, 40] differ in their last extents");
  begins(thrown<UsageError>(
             [&] { (void)quantized_matmul(random({2, 40}, 1).to(Device::naive()), w); }),
         "quantized_matmul: operands lie on devices naive and cpu; shapes [2, 40] and [3, 64]");
}

}  // namespace quantized_matrix_test
}  // namespace ddx
