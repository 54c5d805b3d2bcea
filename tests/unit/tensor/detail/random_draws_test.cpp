#include "ddx/tensor/detail/random_draws.h"

#include "ddx/core/random_key.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <numbers>

namespace ddx::detail {
namespace random_draws_test {

// By hand from the published vector philox4x32 10 of key and counter 0: words 6627e8d5 e169c58d
// bc57ac4c 9b00dbd8.
TEST(RandomDraws, AreTheWordsOfTheKeyOneAfterAnother) {
  const RandomKey key(0);
  RandomDraws draws(key, 0);
  EXPECT_EQ(draws.bits(), 0x6627e8d5e169c58d);
  EXPECT_EQ(draws.bits(), 0xbc57ac4c9b00dbd8);
  const auto next = key.words(std::uint64_t{1} << 40);
  EXPECT_EQ(draws.bits(), (std::uint64_t{next[0]} << 32) | next[1]);
}

TEST(RandomDraws, NumbersAreMadeFromTheBits) {
  const RandomKey key(0);
  const double first = static_cast<double>((0x6627e8d5e169c58d >> 11) + 1) * 0x1p-53;
  const double second = static_cast<double>((0xbc57ac4c9b00dbd8 >> 11) + 1) * 0x1p-53;
  EXPECT_EQ(RandomDraws(key, 0).uniform(), first);
  EXPECT_NEAR(RandomDraws(key, 0).normal(),
              std::sqrt(-2 * std::log(first)) * std::cos(2 * std::numbers::pi * second), 1e-15);
  EXPECT_EQ(RandomDraws(key, 0).below(10), 0x6627e8d5e169c58d % 10);
}

// 2^64 modulo the width 2^63 + 2^62 is 2^62: words below that are drawn again. Without that, the
// first third would come twice as often as the others.
TEST(RandomDraws, AnIncompleteRunIsDrawnAgain) {
  constexpr std::uint64_t width = (std::uint64_t{1} << 63) + (std::uint64_t{1} << 62);
  const RandomKey key(1);
  std::array<int, 3> thirds{};
  for (std::uint64_t i = 0; i < 30000; ++i) {
    ++thirds.at(static_cast<std::size_t>(RandomDraws(key, i).below(width) >> 62));
  }
  for (const int count : thirds) {
    EXPECT_NEAR(count, 10000, 4 * 82);  // The standard deviation is 82.
  }
}

}  // namespace random_draws_test
}  // namespace ddx::detail
