#include "ddx/tensor/bitwise.h"

#include "ddx/core/error.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <limits>

namespace ddx {
namespace bitwise_test {

using testing::thrown;
using Words = Tensor<std::int32_t>;
using Bytes = Tensor<std::uint8_t>;

TEST(Bitwise, CombinesBits) {
  const Words a{0b1100, -1};
  EXPECT_EQ(bitwise_and(a, Words{0b1010, 7}), (Words{0b1000, 7}));
  EXPECT_EQ(bitwise_or(a, 0b1010), (Words{0b1110, -1}));
  EXPECT_EQ(bitwise_xor(a, Words{0b1010, -1}), (Words{0b0110, 0}));
  EXPECT_EQ(bitwise_not(a), (Words{-13, 0}));
  EXPECT_EQ(bitwise_not(Bytes{0, 0xF0}), (Bytes{0xFF, 0x0F}));
  EXPECT_EQ(bitwise_and(Words{{1, 2}, {3, 4}}, Words{1, 2}), (Words{{1, 2}, {1, 0}}));
}

TEST(Bitwise, ShiftsPastAllBits) {
  constexpr auto lowest = std::numeric_limits<std::int32_t>::min();
  EXPECT_EQ(left_shift(Words{1, 3, -1, 5}, Words{31, 31, 32, 1000}), (Words{lowest, lowest, 0, 0}));
  EXPECT_EQ(right_shift(Words{-8, 8, -8, 8}, Words{1, 1, 32, 99}), (Words{-4, 4, -1, 0}));
  EXPECT_EQ(left_shift(Bytes{0x81, 1}, Bytes{1, 8}), (Bytes{2, 0}));
  EXPECT_EQ(right_shift(Bytes{0x81, 0xFF}, 7), (Bytes{1, 1}));
  EXPECT_EQ(right_shift(Tensor<std::int64_t>{-1}, 63), (Tensor<std::int64_t>{-1}));
}

TEST(Bitwise, RejectsNegativeShiftsAndShapes) {
  EXPECT_EQ(thrown<UsageError>([] { (void)left_shift(Words{1, 2}, Words{1, -3}); }),
            "left_shift: element 1 of the shift is -3; shape [2] (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)right_shift(Words{1, 2}, -1); }),
            "right_shift: the shift is -1; shape [2]");
  EXPECT_EQ(thrown<UsageError>([] { (void)bitwise_xor(Words{1, 2}, Words{1, 2, 3}); }),
            "bitwise_xor: axis -1: extents 2 and 3 differ; shapes [2] and [3] (here)");
}

}  // namespace bitwise_test
}  // namespace ddx
