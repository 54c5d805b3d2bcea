#include "ddx/data/text/byte_pair_encoder.h"

#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/data/text/byte_pair_model.h"
#include "ddx/data/text/vocabulary.h"

#include "tests/support/recording.h"
#include "tests/support/temporary_folder.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::data {
namespace byte_pair_encoder_test {

using ddx::testing::golden_file;
using ddx::testing::message_of;

using Ids = std::vector<std::int32_t>;

BytePairModel recorded_model() {
  return read_byte_pair_model(golden_file("text/byte_pairs/vocab.json"),
                              golden_file("text/byte_pairs/merges.txt"));
}

const std::vector<std::string> special = {"<|endoftext|>", "<|end|>"};

TEST(BytePairEncoder, GivesTheIdsThatWereRecorded) {
  const BytePairEncoder plain(recorded_model(), {.special_tokens = special});
  const BytePairEncoder prefixed(recorded_model(),
                                 {.add_prefix_space = true, .special_tokens = special});
  const auto cases = ddx::testing::recording("text/byte_pairs/cases.json")["cases"];
  ASSERT_GT(cases.size(), 50U);
  for (const auto& c : cases) {
    const auto text = c["text"].get<std::string>();
    EXPECT_EQ(plain.encode(text), c["ids"].get<Ids>()) << text;
    EXPECT_EQ(plain.decode(c["ids"].get<Ids>()), text);
    EXPECT_EQ(prefixed.encode(text), c["prefixed"].get<Ids>()) << text;
  }
}

TEST(BytePairEncoder, EveryTextComesBack) {
  const BytePairEncoder encoder(recorded_model());
  const RandomKey key(7);
  for (std::uint64_t i = 0; i < 500; ++i) {
    // Bytes of all kinds: most texts are not UTF-8.
    std::string text;
    for (std::uint64_t j = 0; j < i % 40; ++j) {
      const auto words = key.fold_in(i).words(j);
      text.push_back(static_cast<char>(words[0] % 3 == 0 ? words[1] : words[1] % 128));
    }
    EXPECT_EQ(encoder.decode(encoder.encode(text)), text);
  }
}

TEST(BytePairEncoder, BytesThatAreNotUtf8AreSymbols) {
  // As the pattern has it: the letters are one word, the symbols another.
  const BytePairModel model{
      .vocabulary = Vocabulary(
          {"a", "b", "\u0120", "\u00FF", "ab", "a\u00FF", "\u0120\u00FF", "\u00FF\u00FF"}),
      .merges = {{"a", "b"}, {"a", "\u00FF"}, {"\u0120", "\u00FF"}, {"\u00FF", "\u00FF"}}};
  EXPECT_EQ(BytePairEncoder(model).encode("ab\xFF\xFF a\xFF \xFF\xFF"), (Ids{4, 7, 2, 0, 3, 6, 3}));
}

TEST(BytePairEncoder, TheMergeOfLowestRankGoesFirstAndOfTheseTheLeftmost) {
  const BytePairModel model{.vocabulary = Vocabulary({"a", "b", "c", "bc", "ab", "aa", "aab"}),
                            .merges = {{"b", "c"}, {"a", "b"}, {"a", "a"}, {"aa", "b"}}};
  const BytePairEncoder encoder(model);
  EXPECT_EQ(encoder.encode("abc"), (Ids{0, 3}));
  EXPECT_EQ(encoder.encode("ab"), (Ids{4}));
  EXPECT_EQ(encoder.encode("aaaa"), (Ids{5, 5}));
  EXPECT_EQ(encoder.encode("aaaaa"), (Ids{5, 5, 0}));
  EXPECT_EQ(encoder.encode("aabb"), (Ids{0, 4, 1}));
}

TEST(BytePairEncoder, ALongWordIsMergedInTime) {
  // Quadratic work on a million letters would take minutes.
  const BytePairModel model{.vocabulary = Vocabulary({"a", "aa", "aaaa"}),
                            .merges = {{"a", "a"}, {"aa", "aa"}}};
  const auto ids = BytePairEncoder(model).encode(std::string(1'000'003, 'a'));
  ASSERT_EQ(ids.size(), 250'002U);
  EXPECT_EQ(ids.front(), 2);
  EXPECT_EQ((Ids{ids.end() - 3, ids.end()}), (Ids{2, 1, 0}));
}

TEST(BytePairEncoder, TheLongestSpecialTokenWins) {
  const BytePairModel model{.vocabulary = Vocabulary({"<", ">", "<>", "<><"}), .merges = {}};
  const BytePairEncoder encoder(model, {.special_tokens = {"<>", "<><"}});
  EXPECT_EQ(encoder.encode("<><><>>"), (Ids{3, 1, 2, 1}));
  EXPECT_EQ(encoder.decode(Ids{3, 1}), "<><>");
  EXPECT_EQ(encoder.decode(Ids{}), "");
}

TEST(BytePairEncoder, ATokenOutsideTheAlphabetStandsForItself) {
  const BytePairModel model{.vocabulary = Vocabulary({"a", "<end of \u4F60>"}), .merges = {}};
  const BytePairEncoder encoder(model, {.special_tokens = {"<end of \u4F60>"}});
  EXPECT_EQ(encoder.decode(encoder.encode("a<end of \u4F60>")), "a<end of \u4F60>");
}

TEST(BytePairEncoder, AByteThatIsNotInTheVocabularyIsUnknownOrAnError) {
  const BytePairModel model{.vocabulary = Vocabulary({"a", "<unk>"}), .merges = {}};
  EXPECT_EQ(BytePairEncoder(model, {.unknown_token = "<unk>"}).encode("aba"), (Ids{0, 1, 0}));
  EXPECT_EQ(message_of<UsageError>([&] { (void)BytePairEncoder(model).encode("ab"); }),
            "BytePairEncoder: byte 98 is not in the vocabulary, and there is no unknown token");
}

TEST(BytePairEncoder, WhatTheVocabularyLacksIsAnError) {
  const BytePairModel model{.vocabulary = Vocabulary({"a", "b"}), .merges = {}};
  const auto error = [&](const BytePairEncoder::Options& options) {
    return message_of<UsageError>([&] { BytePairEncoder(model, options); });
  };
  EXPECT_EQ(
      error({.special_tokens = {"<s>"}}),
      R"(BytePairEncoder: the special token "<s>" is not among the 2 tokens of the vocabulary)");
  EXPECT_EQ(error({.special_tokens = {""}}), "BytePairEncoder: a special token is empty");
  EXPECT_EQ(
      error({.unknown_token = "<u>"}),
      R"(BytePairEncoder: the unknown token "<u>" is not among the 2 tokens of the vocabulary)");
  auto merged = model;
  merged.merges = {{"a", "b"}};
  EXPECT_EQ(message_of<UsageError>([&] { BytePairEncoder{merged}; }),
            R"(BytePairEncoder: token "ab" is not in the vocabulary)");
  EXPECT_EQ(message_of<UsageError>([&] { (void)BytePairEncoder(model).decode(Ids{0, 2}); }),
            "BytePairEncoder: id 2 of a vocabulary of 2 tokens");
}

}  // namespace byte_pair_encoder_test
}  // namespace ddx::data
