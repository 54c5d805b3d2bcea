#include "ddx/tensor/random_integers.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_numbers.h"
#include "tests/support/thrown.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>

namespace ddx {
namespace random_integers_test {

using ddx::testing::thrown;

TEST(RandomIntegers, AreThoseOfTheKeyOnEveryDevice) {
  const auto drawn = random_integers<std::int32_t>(RandomKey(42), {2, 4}, -500, 500);
  ddx::testing::expect_numbers("integers", drawn);
  EXPECT_EQ(random_integers<std::int32_t>(RandomKey(42), {2, 4}, -500, 500, Device::naive()),
            drawn);
}

// 70000 numbers of 7: 10000 of each, standard deviation 93.
TEST(RandomIntegers, AreEquallyLikely) {
  std::array<int, 7> counts{};
  for (const auto number : random_integers<std::int64_t>(RandomKey(1), {70000}, -3, 4).elements()) {
    ++counts.at(static_cast<std::size_t>(number + 3));
  }
  for (const int count : counts) {
    EXPECT_NEAR(count, 10000, 4 * 93);
  }
}

TEST(RandomIntegers, ReachTheEndsOfTheirType) {
  using Limits = std::numeric_limits<std::int64_t>;
  const auto wide =
      random_integers<std::int64_t>(RandomKey(1), {100}, Limits::min(), Limits::max());
  int negative = 0;
  for (const auto number : wide.elements()) {
    negative += number < 0 ? 1 : 0;
  }
  EXPECT_NEAR(negative, 50, 20);
  EXPECT_EQ(random_integers<std::uint8_t>(RandomKey(1), {3}, 254, 255),
            (Tensor<std::uint8_t>{254, 254, 254}));
  EXPECT_EQ(random_integers<std::int32_t>(RandomKey(1), {0}, 0, 9).count(), 0U);
}

TEST(RandomIntegers, BoundsMustAscend) {
  EXPECT_EQ(
      thrown<UsageError>([] { (void)random_integers<std::int32_t>(RandomKey(1), {2}, 3, 3); }),
      "random_integers: bounds 3 and 3 do not ascend; shape [2] (here)");
}

TEST(RandomPermutation, IsThatOfTheKeyOnEveryDevice) {
  const auto order = random_permutation(RandomKey(42), 10);
  ddx::testing::expect_numbers("permutation", order);
  EXPECT_EQ(random_permutation(RandomKey(42), 10, Device::naive()), order);
  EXPECT_EQ(random_permutation(RandomKey(42), 0).count(), 0U);
  EXPECT_EQ(random_permutation(RandomKey(42), 1), Tensor<std::int32_t>{0});
}

// 24000 orders of 4: 1000 of each, standard deviation 31; five of them for 24 counts.
TEST(RandomPermutation, AllOrdersAreEquallyLikely) {
  std::array<int, 256> counts{};
  for (std::uint64_t i = 0; i < 24000; ++i) {
    std::size_t code = 0;
    for (const auto number : random_permutation(RandomKey(1).fold_in(i), 4).elements()) {
      code = 4 * code + static_cast<std::size_t>(number);
    }
    ++counts.at(code);
  }
  int seen = 0;
  for (const int count : counts) {
    if (count > 0) {
      ++seen;
      EXPECT_NEAR(count, 1000, 5 * 31);
    }
  }
  EXPECT_EQ(seen, 24);
}

TEST(RandomPermutation, TheCountMustFit) {
  EXPECT_EQ(thrown<UsageError>([] { (void)random_permutation(RandomKey(1), -1); }),
            "random_permutation: count -1 is not in [0, 2^31) (here)");
}

}  // namespace random_integers_test
}  // namespace ddx
