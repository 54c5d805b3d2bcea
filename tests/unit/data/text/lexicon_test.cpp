#include "ddx/data/text/lexicon.h"

#include "ddx/core/error.h"

#include "tests/support/temporary_folder.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <vector>

namespace ddx::data {
namespace lexicon_test {

using ddx::testing::message_of;
using Ids = std::vector<std::int32_t>;

TEST(Lexicon, TakesPiecesThatOccurOften) {
  // 0 1 occurs 3 times, 1 0 twice, 0 1 0 twice, 1 0 1 once, 0 1 0 1 once, 1 2 once, 0 1 2 once.
  const Lexicon lexicon({{0, 1, 0, 1, 0}, {0, 1, 2}},
                        {.shortest = 2, .longest = 3, .least_frequency = 2});
  EXPECT_EQ(lexicon.pieces(),
            (std::map<Ids, std::int32_t>{{{0, 1}, 0}, {{0, 1, 0}, 1}, {{1, 0}, 2}}));
  EXPECT_EQ(lexicon.id({1, 0}), 2);
  EXPECT_FALSE(lexicon.id({1, 2}));
  EXPECT_EQ(lexicon.size(), 3);
}

TEST(Lexicon, ShortSequencesHaveFewPieces) {
  EXPECT_EQ(Lexicon({{0}, {}}, {.least_frequency = 1}).size(), 0);
  EXPECT_EQ(Lexicon({{0}, {}}, {.shortest = 1, .longest = 1, .least_frequency = 1}).id({0}), 0);
}

TEST(Lexicon, MistakesAreNamed) {
  EXPECT_EQ(message_of<UsageError>([] { (void)Lexicon({}, {.shortest = 3, .longest = 2}); }),
            "Lexicon: pieces of 3 to 2 characters that occur 10 times or more");
}

}  // namespace lexicon_test
}  // namespace ddx::data
