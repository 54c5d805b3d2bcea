#include "ddx/core/hash.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <set>

namespace ddx {
namespace hash_test {

TEST(Mixed, OrderOfWordsCounts) {
  EXPECT_NE(mixed(mixed(1, 2), 3), mixed(mixed(1, 3), 2));
}

TEST(Mixed, NeighboursAreDifferentInTheirLowBits) {
  // Tables take the low bits: 4096 words in a row must not crowd into a few of 8192 places.
  std::set<std::uint64_t> places;
  for (std::uint64_t word = 0; word < 4096; ++word) {
    places.insert(mixed(7, word) % 8192);
  }
  EXPECT_GT(places.size(), 3000U);  // By chance, 8192 (1 - e^-0.5) = 3223.
}

}  // namespace hash_test
}  // namespace ddx
