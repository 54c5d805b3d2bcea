#include "ddx/tensor/random_truncated_normal.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_numbers.h"
#include "tests/support/thrown.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

namespace ddx {
namespace random_truncated_normal_test {

double below(double x) {
  return 0.5 * std::erfc(-x / std::numbers::sqrt2);
}

TEST(RandomTruncatedNormal, AreThoseOfTheKeyOnEveryDevice) {
  const auto drawn =
      random_truncated_normal<double>(RandomKey(42), {6}, {.mean = 3, .deviation = 0.5});
  ddx::testing::expect_numbers("truncated_normal", drawn);
  EXPECT_EQ(random_truncated_normal<double>(RandomKey(42), {6}, {.mean = 3, .deviation = 0.5},
                                            Device::naive()),
            drawn);
}

TEST(RandomTruncatedNormal, HaveTheirDistribution) {
  const auto usual = random_truncated_normal<float>(RandomKey(1), {20000});
  ddx::testing::expect_distribution(
      usual, [](double x) { return (below(x) - below(-2)) / (below(2) - below(-2)); });
  const auto right =
      random_truncated_normal<double>(RandomKey(2), {20000}, {.low = 0.5, .high = 9});
  ddx::testing::expect_distribution(
      right, [](double x) { return (below(-0.5) - below(-x)) / (below(-0.5) - below(-9)); });
}

// The tail beyond 8 deviations is nearly exponential with rate 8: mean 8 + 1/8 - 2/8^3 + ...
TEST(RandomTruncatedNormal, TailsKeepTheirDigits) {
  double sum = 0;
  const auto tail = random_truncated_normal<double>(RandomKey(1), {10000}, {.low = 8, .high = 30});
  for (const double number : tail.elements()) {
    ASSERT_GE(number, 8);
    sum += number;
  }
  EXPECT_NEAR(sum / 10000, 8.1213, 4 * 0.12 / 100);
}

TEST(RandomTruncatedNormal, MistakesAreAnError) {
  using ddx::testing::thrown;
  EXPECT_EQ(thrown<UsageError>([] {
              (void)random_truncated_normal<float>(RandomKey(1), {2}, {.low = 1, .high = 1});
            }),
            "random_truncated_normal: nothing lies between 1.000000 and 1.000000 deviations; shape "
            "[2] (here)");
  EXPECT_EQ(thrown<UsageError>(
                [] { (void)random_truncated_normal<float>(RandomKey(1), {2}, {.deviation = -1}); }),
            "random_truncated_normal: deviation -1.000000 is not a finite number of at least 0; "
            "shape [2] (here)");
}

}  // namespace random_truncated_normal_test
}  // namespace ddx
