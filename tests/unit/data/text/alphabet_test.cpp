#include "ddx/data/text/alphabet.h"

#include "ddx/core/error.h"

#include "tests/support/temporary_folder.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::data {
namespace alphabet_test {

using ddx::testing::message_of;
using Ids = std::vector<std::int32_t>;

TEST(Alphabet, NumbersCharactersByCodePoint) {
  const Alphabet alphabet({"cab", "", "b\u00e9"});
  EXPECT_EQ(alphabet.id(U'a'), 0);
  EXPECT_EQ(alphabet.id(U'c'), 2);
  EXPECT_EQ(alphabet.id(U'\u00e9'), 3);
  EXPECT_FALSE(alphabet.id(U'd'));
  EXPECT_EQ(alphabet.end_of_text(), 4);
  EXPECT_EQ(alphabet.end_of_word(), 5);
  EXPECT_EQ(alphabet.padding(), 6);
  EXPECT_EQ(alphabet.size(), 7);
}

TEST(Alphabet, EncodesAndDecodes) {
  const Alphabet alphabet({"cab\u00e9"});
  EXPECT_EQ(alphabet.encode("b\u00e9a"), (Ids{1, 3, 0, 4}));
  EXPECT_EQ(alphabet.encode(""), Ids{4});
  EXPECT_EQ(alphabet.decode({1, 5, 3, 0, 4, 6}), "b\u00e9a");
}

TEST(Alphabet, WhatItDoesNotKnowIsNamed) {
  const Alphabet alphabet({"a"});
  EXPECT_EQ(message_of<UsageError>([&] { (void)alphabet.encode("ab"); }),
            "Alphabet: the character \"b\" is not in the alphabet");
  EXPECT_EQ(message_of<UsageError>([&] { (void)alphabet.encode("\xff"); }),
            "Alphabet: a text is not UTF-8");
  EXPECT_EQ(message_of<UsageError>([&] { (void)alphabet.decode({4}); }),
            "Alphabet: id 4 does not lie in [0, 4)");
  EXPECT_EQ(Alphabet({}).size(), 3);
}

}  // namespace alphabet_test
}  // namespace ddx::data
