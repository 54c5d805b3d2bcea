#include "ddx/tensor/creation.h"

#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>

namespace ddx {
namespace creation_test {

using testing::thrown;

TEST(Creation, FillsAndCounts) {
  EXPECT_EQ(zeros<float>({2}), (Tensor<float>{0, 0}));
  EXPECT_EQ(ones<bool>({2}), (Tensor<bool>{true, true}));
  constexpr std::int64_t large = (std::int64_t{1} << 62) + 1;  // No double holds it.
  EXPECT_EQ(full({1}, large), (Tensor<std::int64_t>{large}));
  EXPECT_EQ(iota<std::int32_t>(3), (Tensor<std::int32_t>{0, 1, 2}));
  EXPECT_EQ(ones_like(iota<float>(3)), (Tensor<float>{1, 1, 1}));
  EXPECT_EQ(zeros_like(iota<float>(1)), (Tensor<float>{0}));
  EXPECT_EQ(thrown<UsageError>([] { (void)iota<float>(-1); }), "iota: count -1 is negative (here)");
}

TEST(Cast, TruncatesAndClamps) {
  const Tensor<float> x{2.9F, -2.9F, 300, NAN, 1e20F, -1e20F};
  EXPECT_EQ(cast<std::uint8_t>(x), (Tensor<std::uint8_t>{2, 0, 255, 0, 255, 0}));
  EXPECT_EQ(cast<std::int32_t>(x),
            (Tensor<std::int32_t>{2, -2, 300, 0, std::numeric_limits<std::int32_t>::max(),
                                  std::numeric_limits<std::int32_t>::min()}));
  EXPECT_EQ(cast<bool>(x), (Tensor<bool>{true, true, true, true, true, true}));
  EXPECT_EQ(cast<std::uint8_t>(Tensor<std::int32_t>{-1, 257}), (Tensor<std::uint8_t>{255, 1}));
  EXPECT_EQ(cast<float>(Tensor<bool>{true, false}), (Tensor<float>{1, 0}));
  EXPECT_TRUE(cast<double>(Tensor<float>()).is_symbolic_zero());
}

TEST(Cast, TheDerivativeRoundsToTheOperandsType) {
  const auto [value, pullback] = cast_vjp<float>(Tensor<double>{1.0 / 3});
  EXPECT_EQ(value, (Tensor<float>{1.0F / 3}));
  EXPECT_EQ(pullback(Tensor<float>{0.1F}), (Tensor<double>{static_cast<double>(0.1F)}));
}

TEST(Random, EqualKeysGiveEqualNumbersInTheirBounds) {
  const RandomKey key(3);
  const auto x = random_uniform<float>(key, {1000}, {.low = -1, .high = 2});
  EXPECT_EQ(x, random_uniform<float>(key, {1000}, {.low = -1, .high = 2}));
  const auto [least, most] = std::ranges::minmax(x.elements());
  EXPECT_GE(least, -1);
  EXPECT_LT(most, 2);
  EXPECT_NE(x, random_uniform<float>(RandomKey(4), {1000}, {.low = -1, .high = 2}));
}

TEST(Random, RoundingDoesNotReachTheUpperBound) {
  // Between 1 and the next float there is nothing: all must be 1.
  const auto x = random_uniform<float>(RandomKey(1), {1000}, {.low = 1, .high = 1.0000001});
  EXPECT_EQ(x, ones<float>({1000}));
}

TEST(Random, NormalNumbersAreShiftedAndScaled) {
  const RandomKey key(3);
  const auto standard = random_normal<double>(key, {5});
  EXPECT_EQ(random_normal<double>(key, {5}, {.mean = 10, .deviation = 2}), 10 + 2 * standard);
}

TEST(Random, RejectsWhatIsNoDistribution) {
  const RandomKey key(0);
  EXPECT_EQ(thrown<UsageError>([&] { (void)random_bernoulli<float>(key, {2}, 1.5); }),
            "random_bernoulli: probability 1.500000 is not in [0, 1]; shape [2] (here)");
  EXPECT_EQ(
      thrown<UsageError>([&] { (void)random_uniform<float>(key, {2}, {.low = 1, .high = 1}); }),
      "random_uniform: bounds 1.000000 and 1.000000 do not ascend; shape [2] (here)");
}

template <class Scalar>
void expect_one_sequence(std::int64_t count) {
  const RandomKey key = RandomKey(9).fold_in(2);
  const Device naive = Device::naive();
  for (const Device device : {Device::cpu(), Device::lazy()}) {
    const Shape shape{count};
    EXPECT_EQ(random_normal<Scalar>(key, shape, {.mean = 0.3, .deviation = 1.7}, device),
              random_normal<Scalar>(key, shape, {.mean = 0.3, .deviation = 1.7}, naive))
        << count << dtype_of<Scalar> << device;
    EXPECT_EQ(random_uniform<Scalar>(key, shape, {.low = -0.3, .high = 0.9}, device),
              random_uniform<Scalar>(key, shape, {.low = -0.3, .high = 0.9}, naive))
        << count << dtype_of<Scalar> << device;
    EXPECT_EQ(random_bernoulli<Scalar>(key, shape, 0.3, device),
              random_bernoulli<Scalar>(key, shape, 0.3, naive))
        << count << dtype_of<Scalar> << device;
  }
}

// 512 numbers are computed at a time, 4 of a block, and threads share longer ranges.
TEST(Random, NumbersOfAllDevicesAreEqualToTheBit) {
  for (const std::int64_t count : {1, 2, 3, 5, 511, 513, 100'003}) {
    expect_one_sequence<float>(count);
    expect_one_sequence<double>(count);
    expect_one_sequence<Half>(count);
    expect_one_sequence<BFloat16>(count);
  }
}

}  // namespace creation_test
}  // namespace ddx
