#include "ddx/core/random_key.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <set>

namespace ddx {
namespace random_key_test {

using Words = std::array<std::uint32_t, 4>;

// Source: Random123 1.14, tests/kat_vectors, lines "philox4x32 10".
TEST(Philox, AgreesWithThePublishedVectors) {
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
            (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(RandomKey, WordsAreThoseOfTheGenerator) {
  const auto key = RandomKey::from_state({0x299f31d0a4093822, 0x0370734413198a2e});
  EXPECT_EQ(key.words(0x85a308d3243f6a88 & ~(std::uint64_t{1} << 63)),
            philox4x32({0x243f6a88, 0x05a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}));
}

TEST(RandomKey, EqualSeedsGiveEqualNumbers) {
  EXPECT_EQ(RandomKey(5).words(3), RandomKey(5).words(3));
  EXPECT_NE(RandomKey(5).words(3), RandomKey(6).words(3));
  EXPECT_NE(RandomKey(5).words(3), RandomKey(5).words(4));
}

TEST(RandomKey, StateComesBack) {
  const RandomKey key = RandomKey(5).split().second;
  EXPECT_EQ(RandomKey::from_state(key.state()), key);
}

TEST(RandomKey, DerivedKeysAreAllDifferent) {
  const RandomKey root(0);
  std::set<std::array<std::uint64_t, 2>> states{root.state()};
  std::size_t keys = 1;
  for (const RandomKey& key : root.split(100)) {
    states.insert(key.state());
    ++keys;
  }
  for (std::uint64_t number = 0; number < 100; ++number) {
    states.insert(root.fold_in(number).state());
    ++keys;
  }
  EXPECT_EQ(states.size(), keys);
}

TEST(RandomKey, SplitInTwoIsTheBeginningOfSplitInMany) {
  const auto [first, second] = RandomKey(3).split();
  const auto many = RandomKey(3).split(3);
  EXPECT_EQ(first, many[0]);
  EXPECT_EQ(second, many[1]);
}

}  // namespace random_key_test
}  // namespace ddx
