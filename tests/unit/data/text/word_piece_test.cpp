#include "ddx/data/text/word_piece.h"

#include "ddx/core/error.h"
#include "ddx/data/text/vocabulary.h"

#include "tests/support/temporary_folder.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::data {
namespace word_piece_test {

using ddx::testing::message_of;

using Ids = std::vector<std::int32_t>;

const Vocabulary vocabulary({"[UNK]", "un", "##aff", "##able", "##a", "\u4F60", "##\u4F60", "a"});

TEST(WordPiece, TakesTheLongestPieceFromTheLeft) {
  const WordPiece pieces(vocabulary);
  EXPECT_EQ(pieces.pieces("unaffable"), (Ids{1, 2, 3}));
  EXPECT_EQ(pieces.pieces("una"), (Ids{1, 4}));
  EXPECT_EQ(pieces.pieces("\u4F60\u4F60a"), (Ids{5, 6, 4}));
  EXPECT_EQ(pieces.pieces(""), Ids{});
}

TEST(WordPiece, AWordThatCannotBeCutIsUnknownAsAWhole) {
  const WordPiece pieces(vocabulary);
  EXPECT_EQ(pieces.pieces("unx"), Ids{0});
  EXPECT_EQ(pieces.pieces("able"), Ids{0});
  // The greedy choice is not taken back: "##aff" leaves "x".
  EXPECT_EQ(pieces.pieces("unaffx"), Ids{0});
  EXPECT_EQ(pieces.pieces("a\xFF"), Ids{0});
}

TEST(WordPiece, ALongWordIsUnknown) {
  const WordPiece pieces(vocabulary, {.longest_word = 3});
  EXPECT_EQ(pieces.pieces("\u4F60\u4F60\u4F60"), (Ids{5, 6, 6}));
  EXPECT_EQ(pieces.pieces("\u4F60\u4F60\u4F60\u4F60"), Ids{0});
}

TEST(WordPiece, JoinsPiecesToWords) {
  const WordPiece pieces(vocabulary);
  EXPECT_EQ(pieces.text(Ids{1, 2, 3, 7, 4}), "unaffable aa");
  EXPECT_EQ(pieces.text(Ids{4, 1}), "##a un");
  EXPECT_EQ(pieces.text(Ids{}), "");
  EXPECT_EQ(WordPiece(vocabulary, {.continuation = ""}).text(Ids{1, 7}), "un a");
}

TEST(WordPiece, WhatTheVocabularyLacksIsAnError) {
  EXPECT_EQ(message_of<UsageError>([] { WordPiece(vocabulary, {.unknown_token = "<unk>"}); }),
            R"(WordPiece: the unknown token "<unk>" is not among the 8 tokens of the vocabulary)");
  EXPECT_EQ(message_of<UsageError>([] { (void)WordPiece(vocabulary).text(Ids{8}); }),
            "WordPiece: id 8 of a vocabulary of 8 tokens");
}

}  // namespace word_piece_test
}  // namespace ddx::data
