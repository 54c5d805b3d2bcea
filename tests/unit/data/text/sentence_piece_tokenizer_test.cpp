#include "ddx/data/text/sentence_piece_tokenizer.h"

#include "ddx/core/error.h"
#include "ddx/data/text/sentence_piece_model.h"

#include "tests/support/recording.h"
#include "tests/support/temporary_folder.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace ddx::data {
namespace sentence_piece_tokenizer_test {

using ddx::testing::golden_file;
using ddx::testing::message_of;

using Bytes = std::vector<std::uint8_t>;
using Ids = std::vector<std::int32_t>;

constexpr auto normal = SentencePieceKind::Normal;
constexpr auto unknown = SentencePieceKind::Unknown;

class RecordedSentencePiece : public ::testing::TestWithParam<std::string> {};

TEST_P(RecordedSentencePiece, GivesTheIdsAndTextsThatWereRecorded) {
  const SentencePieceTokenizer tokenizer(
      read_sentence_piece_model(golden_file("text/sentence_piece/" + GetParam() + ".model")));
  const auto tables = ddx::testing::recording("text/sentence_piece/cases.json");
  const auto& cases = tables[GetParam() + " cases"];
  ASSERT_GT(cases.size(), 60U);
  for (const auto& row : cases) {
    const auto text = row["text"].get<std::string>();
    EXPECT_EQ(tokenizer.normalized(text), row["normalized"].get<std::string>()) << text;
    EXPECT_EQ(tokenizer.encode(text), row["ids"].get<Ids>()) << text;
    EXPECT_EQ(tokenizer.decode(row["ids"].get<Ids>()), row["decoded"].get<std::string>()) << text;
  }
  const auto& decoded = tables[GetParam() + " decoded"];
  ASSERT_GT(decoded.size(), 30U);
  for (const auto& row : decoded) {
    EXPECT_EQ(tokenizer.decode(row["ids"].get<Ids>()), row["text"].get<std::string>())
        << row["ids"];
  }
}

INSTANTIATE_TEST_SUITE_P(Models, RecordedSentencePiece,
                         ::testing::Values("nfkc", "bytes", "suffix", "kept"),
                         [](const auto& info) { return info.param; });

/// A model without normalisation.
SentencePieceModel plain_model(std::vector<SentencePiece> pieces) {
  return {.pieces = std::move(pieces),
          .normalization = {.add_dummy_prefix = false, .remove_extra_whitespaces = false}};
}

TEST(SentencePieceTokenizer, TakesTheMostProbablePath) {
  const SentencePieceTokenizer tokenizer(plain_model({{"?", 0, unknown},
                                                      {"a", -1, normal},
                                                      {"b", -1, normal},
                                                      {"ab", -2.5F, normal},
                                                      {"ba", -1.5F, normal},
                                                      {"aba", -9, normal}}));
  EXPECT_EQ(tokenizer.encode("ab"), (Ids{1, 2}));   // -2 against -2.5
  EXPECT_EQ(tokenizer.encode("aba"), (Ids{1, 4}));  // -2.5 against -3, -3.5, -9
  EXPECT_EQ(tokenizer.encode("xay\u4F60b"), (Ids{0, 1, 0, 2}));
  EXPECT_EQ(tokenizer.encode(""), Ids{});
  EXPECT_EQ(tokenizer.decode(Ids{}), "");
}

TEST(SentencePieceTokenizer, BytesThatAreNotUtf8AreReplacedOneByOne) {
  const SentencePieceTokenizer tokenizer(plain_model({{"?", 0, unknown}, {"a", -1, normal}}));
  EXPECT_EQ(tokenizer.normalized("a\xF0\x9F\x8E"
                                 "a\xC3"),
            "a\uFFFD\uFFFD\uFFFDa\uFFFD");
  EXPECT_EQ(tokenizer.encode("\xFF\xFE"), Ids{0});
}

TEST(SentencePieceTokenizer, PiecesThatMakeNoModelAreErrors) {
  struct Case {
    const char* why;
    std::vector<SentencePiece> pieces;
    std::string message;
  };
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Case cases[] = {
      {"none", {}, "none of the 0 pieces is the unknown one"},
      {"no unknown", {{"a", 0, normal}}, "none of the 1 pieces is the unknown one"},
      {"two unknown",
       {{"a", 0, unknown}, {"b", 0, unknown}},
       R"(piece 1 "b": piece 0 is the unknown one already)"},
      {"twice", {{"a", 0, unknown}, {"a", 0, normal}}, R"(piece 1 "a": piece 0 has the same text)"},
      {"empty", {{"", 0, unknown}}, R"(piece 0 "": its text is empty)"},
      {"not UTF-8", {{"\xFF", 0, unknown}}, R"(piece 0 "\ufffd": its text is not UTF-8)"},
      {"no number", {{"a", nan, normal}}, R"(piece 0 "a": its score is nan)"},
      {"a byte",
       {{"<0x00>", 0, SentencePieceKind::Byte}},
       R"(piece 0 "<0x00>": a byte in a model without byte fallback)"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(message_of<UsageError>([&] { SentencePieceTokenizer{plain_model(c.pieces)}; }),
              "SentencePieceTokenizer: " + c.message)
        << c.why;
  }
  auto model = plain_model({{"?", 0, unknown}});
  model.byte_fallback = true;
  EXPECT_EQ(message_of<UsageError>([&] { SentencePieceTokenizer{model}; }),
            "SentencePieceTokenizer: a model with byte fallback lacks the piece <0x00>");
  EXPECT_EQ(message_of<UsageError>([] {
              (void)SentencePieceTokenizer(plain_model({{"?", 0, unknown}})).decode(Ids{1});
            }),
            "SentencePieceTokenizer: id 1 of a vocabulary of 1 tokens");
}

TEST(SentencePieceTokenizer, ReplacementsThatAreNoTableAreErrors) {
  // A root whose children stand 256 units away, and "a" there, which carries value 3.
  Bytes table(4 + 4 * 512, 0);
  const auto put = [&](std::size_t place, std::uint32_t unit) {
    for (std::size_t i = 0; i < 4; ++i) {
      table[place + i] = static_cast<std::uint8_t>(unit >> (8 * i));
    }
  };
  put(0, 4 * 512);
  put(4, 256U << 10);
  put(4 + 4 * (256 + 'a'), 'a' | 1U << 8 | 1U << 10);
  put(4 + 4 * (256 + 'a' - 1), 3U | 1U << 31);
  const auto with = [&](std::string texts) {
    auto model = plain_model({{"?", 0, unknown}});
    model.normalization.replacements = table;
    model.normalization.replacements.insert(model.normalization.replacements.end(), texts.begin(),
                                            texts.end());
    return model;
  };
  EXPECT_EQ(SentencePieceTokenizer(with(std::string("xy\0z\0", 5))).normalized("bab"), "bzb");
  const auto error = [](const SentencePieceModel& model) {
    return message_of<UsageError>([&] { SentencePieceTokenizer{model}; });
  };
  const std::string start = "SentencePieceTokenizer: ";
  EXPECT_EQ(error(with(std::string("xy\0", 3))),
            start + "unit 353 of the replacements points outside of them");
  EXPECT_EQ(error(with("xyzz")), start + "the last replacement does not end with a zero byte");
  for (const std::size_t size : {1U, 3U, 4U, 100U, 2051U}) {
    auto model = with("");
    model.normalization.replacements.resize(size);
    const auto message = error(model);
    EXPECT_TRUE(message.starts_with(start + "replacements of " + std::to_string(size) +
                                    " bytes cannot hold a trie of "))
        << message;
  }
}

}  // namespace sentence_piece_tokenizer_test
}  // namespace ddx::data
