#include "ddx/core/detail/key_recording.h"

#include "ddx/core/random_key.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <thread>
#include <vector>

namespace ddx::detail {
namespace {

/// Some keys that a function derives.
std::vector<RandomKey> derived_from(const RandomKey& a, const RandomKey& b) {
  return {a, a.split().second, a.split(5)[4].fold_in(7),
          b.fold_in(~std::uint64_t{0}).split().first};
}

TEST(KeyRecording, DerivesTheSameFromOtherKeys) {
  const KeyRecording recording({RandomKey(1), RandomKey(2)});
  const std::vector<RandomKey> own = derived_from(recording.recorded(0), recording.recorded(1));
  std::vector<std::uint32_t> places;
  for (const RandomKey& key : own) {
    places.push_back(recording.place_of(key).value());
  }
  const KeyDerivations derivations = recording.derivations(places);
  for (const std::uint64_t seed : {1U, 8U}) {
    const std::vector<RandomKey> given{RandomKey(seed), RandomKey(seed + 1)};
    const std::vector<RandomKey> keys = derivations.keys(given);
    // Two given and five derived: most of those that a was split into are not needed.
    EXPECT_EQ(keys.size(), 7U);
    const std::vector<RandomKey> expected = derived_from(given[0], given[1]);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(keys[places[i]], expected[i]) << i;
    }
  }
  EXPECT_FALSE(recording.is_read(0));
  EXPECT_FALSE(recording.is_read(1));
}

TEST(KeyRecording, ItsKeysHaveTheBitsOfThoseGiven) {
  const KeyRecording recording({RandomKey(1), RandomKey(2)});
  const std::vector<RandomKey> own = derived_from(recording.recorded(0), recording.recorded(1));
  const std::vector<RandomKey> expected = derived_from(RandomKey(1), RandomKey(2));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(KeyRecording::bits_of(own[i]), expected[i]);
    EXPECT_EQ(recording.place_of(KeyRecording::bits_of(own[i])), std::nullopt);
  }
}

// A key of equal bits that was not derived from those given is another one.
TEST(KeyRecording, KnowsItsKeysByTheirDerivation) {
  const KeyRecording recording({RandomKey(1)});
  EXPECT_EQ(recording.place_of(RandomKey(1)), std::nullopt);
  EXPECT_EQ(recording.place_of(RandomKey(1).fold_in(3)), std::nullopt);
  const KeyRecording inner({RandomKey(1)});
  EXPECT_EQ(inner.place_of(recording.recorded(0)), std::nullopt);
  EXPECT_EQ(recording.place_of(recording.recorded(0)), 0U);
}

/// Whether `look(key)` reads the first of two keys, and never the second one.
template <class Look>
bool reads(const Look& look) {
  const KeyRecording recording({RandomKey(1), RandomKey(2)});
  look(recording.recorded(0));
  EXPECT_FALSE(recording.is_read(1));
  return recording.is_read(0);
}

TEST(KeyRecording, KnowsWhoseBitsWereRead) {
  EXPECT_TRUE(reads([](const RandomKey& key) { (void)key.words(0); }));
  EXPECT_TRUE(reads([](const RandomKey& key) { (void)key.state(); }));
  EXPECT_TRUE(reads([](const RandomKey& key) { (void)to_string(key); }));
  EXPECT_TRUE(reads([](const RandomKey& key) { EXPECT_FALSE(key == RandomKey(3)); }));
  EXPECT_TRUE(reads([](const RandomKey& key) { EXPECT_TRUE(RandomKey(1) == key); }));
  EXPECT_TRUE(reads([](const RandomKey& key) { EXPECT_FALSE(key == key.fold_in(1)); }));
  EXPECT_TRUE(reads([](const RandomKey& key) { (void)key.split().first.fold_in(2).words(0); }));
  EXPECT_TRUE(reads([](const RandomKey& key) { std::thread([&] { (void)key.words(0); }).join(); }));
  EXPECT_FALSE(reads([](const RandomKey& key) { (void)key.split(3)[1].fold_in(2); }));
  EXPECT_FALSE(reads([](const RandomKey& key) { EXPECT_TRUE(key == RandomKey(key)); }));
}

TEST(KeyRecording, KeysThatOutliveItArePlain) {
  std::optional<RandomKey> kept;
  {
    const KeyRecording recording({RandomKey(1)});
    kept = recording.recorded(0).fold_in(4);
  }
  const KeyRecording next({RandomKey(2)});
  EXPECT_EQ(next.place_of(*kept), std::nullopt);
  EXPECT_EQ(*kept, RandomKey(1).fold_in(4));
  EXPECT_EQ(kept->split().first, RandomKey(1).fold_in(4).split().first);
  EXPECT_FALSE(next.is_read(0));
}

}  // namespace
}  // namespace ddx::detail
