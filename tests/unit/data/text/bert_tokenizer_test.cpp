#include "ddx/data/text/bert_tokenizer.h"

#include "ddx/core/error.h"
#include "ddx/data/text/encoded_text.h"
#include "ddx/data/text/text_batch.h"
#include "ddx/data/text/vocabulary.h"
#include "ddx/data/text/vocabulary_file.h"

#include "tests/support/recording.h"
#include "tests/support/temporary_folder.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ddx::data {
namespace bert_tokenizer_test {

using ddx::testing::message_of;

using Ids = std::vector<std::int32_t>;

const BertTokenizer& tokenizer() {
  static const BertTokenizer recorded(
      read_vocabulary_lines(ddx::testing::golden_file("text/bert/vocab.txt")));
  return recorded;
}

nlohmann::json rows(const std::string& table) {
  auto rows = ddx::testing::recording("text/bert/cases.json")[table];
  EXPECT_FALSE(rows.empty());
  return rows;
}

TEST(BertTokenizer, GivesTheIdsThatWereRecorded) {
  for (const auto& row : rows("single")) {
    const auto text = row["text"].get<std::string>();
    const auto encoded = tokenizer().encode(text);
    EXPECT_EQ(encoded.ids, row["ids"].get<Ids>()) << text;
    EXPECT_EQ(encoded.segments, Ids(encoded.ids.size(), 0)) << text;
    EXPECT_EQ(tokenizer().decode(encoded.ids), row["decoded"].get<std::string>());
  }
}

TEST(BertTokenizer, GivesThePairsThatWereRecorded) {
  for (const auto& row : rows("pairs")) {
    const auto encoded =
        tokenizer().encode(row["first"].get<std::string>(), row["second"].get<std::string>());
    EXPECT_EQ(encoded, (EncodedText{row["ids"].get<Ids>(), row["segments"].get<Ids>()})) << row;
  }
}

TEST(BertTokenizer, MakesPairsShortEnoughAsRecorded) {
  const std::map<std::string, Truncation> strategies = {{"longest_first", Truncation::LongestFirst},
                                                        {"only_first", Truncation::OnlyFirst},
                                                        {"only_second", Truncation::OnlySecond}};
  for (const auto& row : rows("truncated")) {
    const LengthLimit limit{.max_length = row["length"],
                            .truncation = strategies.at(row["strategy"])};
    const auto encode = [&] {
      return tokenizer().encode(row["first"].get<std::string>(), row["second"].get<std::string>(),
                                limit);
    };
    if (row["ids"].is_null()) {
      EXPECT_TRUE(message_of<UsageError>([&] {
                    (void)encode();
                  }).starts_with("truncate: the pair is too long by "))
          << row;
    } else {
      EXPECT_EQ(encode(), (EncodedText{row["ids"].get<Ids>(), row["segments"].get<Ids>()})) << row;
    }
  }
}

TEST(BertTokenizer, MakesTheBatchesThatWereRecorded) {
  for (const auto& row : rows("batches")) {
    TextBatchOptions padding{.padding_id = tokenizer().padding_id()};
    LengthLimit limit;
    if (!row["length"].is_null()) {
      padding.length = row["length"].get<std::int64_t>();
      limit.max_length = padding.length;
    }
    std::vector<EncodedText> texts;
    for (const auto& text : row["texts"]) {
      texts.push_back(tokenizer().encode(text.get<std::string>(), limit));
    }
    const auto batch = padded_batch(texts, padding);
    const auto values = [&](const char* table) {
      Ids all;
      for (const auto& line : row[table]) {
        const auto part = line.get<Ids>();
        all.insert(all.end(), part.begin(), part.end());
      }
      return all;
    };
    EXPECT_EQ(batch.ids.values(), values("ids"));
    EXPECT_EQ(batch.mask.values(), values("mask"));
    EXPECT_EQ(batch.segments.values(), values("segments"));
    EXPECT_EQ(batch.ids.shape()[0], 4);
  }
}

TEST(BertTokenizer, ALimitBelowTheSpecialTokensIsAnError) {
  EXPECT_EQ(tokenizer().encode("a", {.max_length = 2}).ids.size(), 2U);
  EXPECT_EQ(message_of<UsageError>([] { (void)tokenizer().encode("a", {.max_length = 1}); }),
            "truncate: a limit of -1 ids is left for the text beside the special tokens");
  EXPECT_EQ(message_of<UsageError>([] { (void)tokenizer().encode("a", "b", {.max_length = 2}); }),
            "truncate: a limit of -1 ids is left for the text beside the special tokens");
}

TEST(BertTokenizer, AVocabularyWithoutASpecialTokenIsAnError) {
  EXPECT_EQ(message_of<UsageError>(
                [] { BertTokenizer(Vocabulary({"[UNK]", "[CLS]", "[SEP]", "[PAD]", "a"})); }),
            R"(BertTokenizer: the special token "[MASK]" is not among the 5 tokens of the )"
            R"(vocabulary)");
  EXPECT_EQ(message_of<UsageError>([] { BertTokenizer{Vocabulary()}; }),
            R"(WordPiece: the unknown token "[UNK]" is not among the 0 tokens of the vocabulary)");
}

}  // namespace bert_tokenizer_test
}  // namespace ddx::data
