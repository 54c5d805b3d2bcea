#include "ddx/ops/creation.h"

#include "ddx/core/random_key.h"

#include "ops/detail/random_numbers.h"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <numbers>

namespace ddx::ops {
namespace creation_test {

constexpr std::uint64_t trials = 100000;

// By hand from the published vector philox4x32 10 of key and counter 0: words 6627e8d5 e169c58d
// bc57ac4c 9b00dbd8.
TEST(RandomNumbers, AreMadeFromTheWordsOfTheKey) {
  const RandomKey key(0);
  EXPECT_EQ(uniform_f32(key, 0), static_cast<float>(0x6627e8) * 0x1p-24F);
  EXPECT_EQ(uniform_f32(key, 3), static_cast<float>(0x9b00db) * 0x1p-24F);
  EXPECT_EQ(uniform_f64(key, 0), static_cast<double>(0x6627e8d5e169c58d >> 11) * 0x1p-53);
  EXPECT_EQ(uniform_f64(key, 1), static_cast<double>(0xbc57ac4c9b00dbd8 >> 11) * 0x1p-53);
  const double radius = std::sqrt(-2 * std::log(1 - uniform_f64(key, 0)));
  EXPECT_NEAR(normal_f64(key, 0), radius * std::cos(2 * M_PI * uniform_f64(key, 1)), 1e-14);
  EXPECT_NEAR(normal_f64(key, 1), radius * std::sin(2 * M_PI * uniform_f64(key, 1)), 1e-14);
  EXPECT_TRUE(bernoulli(key, 0, 0x6627e8d6 * 0x1p-32));
  EXPECT_FALSE(bernoulli(key, 0, 0x6627e8d5 * 0x1p-32));
}

// The deviation of a mean of n numbers of variance v is sqrt(v / n); four of them are an event of 1
// in 16,000, and the key is fixed.
TEST(RandomNumbers, HaveTheMomentsOfTheirDistributions) {
  const RandomKey key(1);
  double uniform = 0;
  double normal = 0;
  double square = 0;
  double successes = 0;
  for (std::uint64_t i = 0; i < trials; ++i) {
    uniform += static_cast<double>(uniform_f32(key, i));
    normal += normal_f64(key, i);
    square += normal_f64(key, i) * normal_f64(key, i);
    successes += bernoulli(key, i, 0.3) ? 1 : 0;
  }
  const auto n = static_cast<double>(trials);
  EXPECT_NEAR(uniform / n, 0.5, 4 * std::sqrt(1.0 / 12 / n));
  EXPECT_NEAR(normal / n, 0, 4 / std::sqrt(n));
  EXPECT_NEAR(square / n, 1, 4 * std::sqrt(2 / n));
  EXPECT_NEAR(successes / n, 0.3, 4 * std::sqrt(0.21 / n));
}

// In extended precision. 2^-52 is the distance of neighbours from 1 on; numbers below 9 are made of
// a root, a cosine and a product, each of about one rounding.
TEST(RandomNumbers, NormalOnesAreThoseOfBoxAndMuller) {
  const RandomKey key = RandomKey(3).fold_in(5);
  for (std::uint64_t i = 0; i < trials; i += 2) {
    const long double radius =
        std::sqrt(-2 * std::log1p(-static_cast<long double>(uniform_f64(key, i))));
    const long double angle =
        2 * std::numbers::pi_v<long double> * static_cast<long double>(uniform_f64(key, i + 1));
    const auto tolerance = static_cast<double>(2 * 0x1p-52L * (1 + radius));
    ASSERT_NEAR(normal_f64(key, i), static_cast<double>(radius * std::cos(angle)), tolerance) << i;
    ASSERT_NEAR(normal_f64(key, i + 1), static_cast<double>(radius * std::sin(angle)), tolerance)
        << i;
  }
}

// The largest radius is that of 2^-53: sqrt(106 log 2) = 8.5717; the smallest is 0.
TEST(RandomNumbers, NormalOnesAreFiniteAtTheEndsOfTheUnitInterval) {
  constexpr std::uint64_t most = 0xFFFFFFFF;
  const auto far = detail::normal_pair({most, most, 0, 0});
  EXPECT_NEAR(far.cosine, std::sqrt(106 * std::numbers::ln2), 1e-14);
  EXPECT_EQ(far.sine, 0);
  EXPECT_EQ(detail::normal_pair({0, 0, 0, 0}).cosine, 0);
  for (const std::uint64_t quarter : {0U, 1U, 2U, 3U}) {
    const auto [cosine, sine] = detail::direction_of(static_cast<double>(quarter) / 4);
    EXPECT_EQ(cosine, quarter % 2 == 1 ? 0 : quarter == 0 ? 1 : -1) << quarter;
    EXPECT_EQ(sine, quarter % 2 == 0 ? 0 : quarter == 1 ? 1 : -1) << quarter;
  }
}

TEST(RandomNumbers, CertainAndImpossibleTrialsAreNeverWrong) {
  const RandomKey key(2);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    EXPECT_TRUE(bernoulli(key, i, 1));
    EXPECT_FALSE(bernoulli(key, i, 0));
  }
}

}  // namespace creation_test
}  // namespace ddx::ops
