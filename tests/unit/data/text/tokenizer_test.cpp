#include "ddx/data/text/tokenizer.h"

#include "ddx/core/error.h"
#include "ddx/data/text/encoded_text.h"

#include "tests/support/recording.h"
#include "tests/support/temporary_folder.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ddx::data {
namespace tokenizer_test {

using Ids = std::vector<std::int32_t>;

/// The recorded tokenizers, by the name of their files.
class RecordedTokenizer : public ::testing::TestWithParam<const char*> {
 protected:
  static std::string file(const std::string& ending) {
    return std::string("text/tokenizer_json/") + GetParam() + ending;
  }

  const Tokenizer tokenizer_ = read_tokenizer(ddx::testing::golden_file(file(".json")));
  const nlohmann::json cases_ = ddx::testing::recording(file(".cases.json"));
};

TEST_P(RecordedTokenizer, GivesTheIdsAndTheTextsThatWereRecorded) {
  ASSERT_GT(cases_["single"].size(), 50U);
  for (const auto& row : cases_["single"]) {
    const auto text = row["text"].get<std::string>();
    const auto ids = row["ids"].get<Ids>();
    EXPECT_EQ(tokenizer_.encode(text).ids, ids) << row["text"];
    EXPECT_EQ(tokenizer_.encode(text, {.adds_special_tokens = false}).ids, row["bare"].get<Ids>())
        << row["text"];
    EXPECT_EQ(tokenizer_.decode(ids), row["decoded"].get<std::string>()) << row["text"];
    EXPECT_EQ(tokenizer_.decode(ids, {.skips_special_tokens = false}),
              row["special"].get<std::string>())
        << row["text"];
  }
}

TEST_P(RecordedTokenizer, GivesThePairsThatWereRecorded) {
  for (const auto& row : cases_["pairs"]) {
    const auto encoded =
        tokenizer_.encode(row["first"].get<std::string>(), row["second"].get<std::string>(),
                          {.adds_special_tokens = row["added"].get<bool>()});
    EXPECT_EQ(encoded, (EncodedText{row["ids"].get<Ids>(), row["segments"].get<Ids>()})) << row;
  }
}

TEST_P(RecordedTokenizer, MakesOfAnyIdsTheTextThatWasRecorded) {
  for (const auto& row : cases_["decoded"]) {
    EXPECT_EQ(tokenizer_.decode(row["ids"].get<Ids>()), row["text"].get<std::string>()) << row;
  }
}

TEST_P(RecordedTokenizer, EachIdIsThatOfItsToken) {
  const auto size = cases_["size"][0].get<std::int64_t>();
  EXPECT_EQ(tokenizer_.size(), size);
  for (std::int32_t id = 0; id < size; ++id) {
    EXPECT_EQ(tokenizer_.id_of(tokenizer_.token_of(id)), id);
  }
}

INSTANTIATE_TEST_SUITE_P(OfEveryKind, RecordedTokenizer,
                         ::testing::Values("gpt2", "llama3", "qwen", "gpt4o", "deepseek", "bloom",
                                           "roberta", "clip", "prefixed_pairs", "llama2", "mistral",
                                           "bert", "bert_cased", "t5", "albert", "unigram_bytes",
                                           "word_level"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace tokenizer_test
}  // namespace ddx::data
