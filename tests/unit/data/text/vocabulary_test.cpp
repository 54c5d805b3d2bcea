#include "ddx/data/text/vocabulary.h"

#include "ddx/core/error.h"

#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>
#include <optional>
#include <string>

namespace ddx::data {
namespace vocabulary_test {

using ddx::testing::message_of;

TEST(Vocabulary, TheIdOfATokenIsItsPlace) {
  Vocabulary vocabulary({"a", "", "b"});
  vocabulary.add("c");
  EXPECT_EQ(vocabulary.size(), 4);
  EXPECT_EQ(vocabulary.id(""), 1);
  EXPECT_EQ(vocabulary.id("c"), 3);
  EXPECT_EQ(vocabulary.id("d"), std::nullopt);
  EXPECT_EQ(vocabulary.token(2), "b");
  EXPECT_EQ(vocabulary, Vocabulary({"a", "", "b", "c"}));
  EXPECT_EQ(Vocabulary().size(), 0);
}

TEST(Vocabulary, ATokenThatStandsThereTwiceIsAnError) {
  EXPECT_EQ(message_of<UsageError>([] { Vocabulary({"a", "b\n\xFF", "b\n\xFF"}); }),
            R"(Vocabulary: token "b\n\ufffd" stands at 1 and at 2)");
}

TEST(Vocabulary, WhatIsNotThereIsAnError) {
  const Vocabulary vocabulary({"a"});
  EXPECT_EQ(message_of<UsageError>([&] { (void)vocabulary.token(1); }),
            "Vocabulary: id 1 of a vocabulary of 1 tokens");
  EXPECT_EQ(message_of<UsageError>([&] { (void)vocabulary.token(-1, "decode"); }),
            "decode: id -1 of a vocabulary of 1 tokens");
  EXPECT_EQ(message_of<UsageError>([&] {
              (void)vocabulary.required_id(std::string(65, 'x'), "encode", "the padding token");
            }),
            "encode: the padding token \"" + std::string(64, 'x') +
                "...\" is not among the 1 tokens of the vocabulary");
}

}  // namespace vocabulary_test
}  // namespace ddx::data
