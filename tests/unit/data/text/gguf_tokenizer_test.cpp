// Tokenizers of GGUF files, beside the packages tokenizers and sentencepiece
// (tests/goldens/text/make_gguf_tokenizers.py).

#include "ddx/core/error.h"
#include "ddx/data/text/encoded_text.h"
#include "ddx/data/text/tokenizer.h"

#include "tests/support/gguf_bytes.h"
#include "tests/support/recording.h"
#include "tests/support/temporary_folder.h"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace ddx::data {
namespace gguf_tokenizer_test {

using ddx::testing::message_of;
using ddx::testing::TemporaryFolder;
using namespace ddx::testing::gguf;  // NOLINT(google-build-using-namespace)

using Ids = std::vector<std::int32_t>;

class RecordedGguf : public ::testing::TestWithParam<const char*> {};

TEST_P(RecordedGguf, GivesTheIdsAndTheTextsThatWereRecorded) {
  const std::string name = GetParam();
  const bool needs_patterns = name != "gpt2" && name != "smollm" && name != "pieces";
  if (needs_patterns && name != "unprefixed" && !has_regular_expressions()) {
    GTEST_SKIP() << "ddx was built without PCRE2";
  }
  const auto tokenizer =
      read_tokenizer(ddx::testing::golden_file("text/gguf_tokenizers/" + name + ".gguf"));
  const auto cases = ddx::testing::recording("text/gguf_tokenizers/cases.json").at(name);
  ASSERT_GT(cases.size(), 50U);
  for (const auto& row : cases) {
    const auto ids = row["ids"].get<Ids>();
    EXPECT_EQ(tokenizer.encode(row["text"].get<std::string>()).ids, ids) << row["text"];
    EXPECT_EQ(tokenizer.decode(ids), row["decoded"].get<std::string>()) << row["text"];
  }
}

INSTANTIATE_TEST_SUITE_P(Files, RecordedGguf,
                         ::testing::Values("gpt2", "llama3", "qwen", "gpt4o", "deepseek", "smollm",
                                           "tekken", "pieces", "unprefixed"),
                         [](const auto& named) { return std::string(named.param); });

using Metadata = std::map<std::string, Bytes>;

/// Two characters, the pair of them, and a control token.
Metadata small(const std::string& model) {
  Metadata metadata;
  metadata["model"] = words("tokenizer.ggml.model", model);
  metadata["pre"] = words("tokenizer.ggml.pre", "gpt-2");
  metadata["tokens"] =
      list("tokenizer.ggml.tokens", std::vector<std::string_view>{"a", "b", "ab", "<s>"});
  metadata["types"] = list("tokenizer.ggml.token_type", std::vector<std::int32_t>{1, 1, 1, 3});
  metadata["merges"] = list("tokenizer.ggml.merges", std::vector<std::string_view>{"a b"});
  metadata["scores"] = list("tokenizer.ggml.scores", std::vector<float>{-2, -3, -1, 0});
  metadata["bos"] = integer("tokenizer.ggml.bos_token_id", 3);
  return metadata;
}

Bytes bytes_of(const Metadata& metadata) {
  std::vector<Bytes> values;
  for (const auto& [key, value] : metadata) {
    if (!value.empty()) {
      values.push_back(value);
    }
  }
  return file_of(values, {});
}

Tokenizer read(const Metadata& metadata) {
  const TemporaryFolder folder;
  return read_tokenizer(folder.write("a.gguf", bytes_of(metadata)));
}

std::string error_with(const std::string& model, const std::string& key, const Bytes& value) {
  auto metadata = small(model);
  metadata[key] = value;
  const TemporaryFolder folder;
  const auto file = folder.write("a.gguf", bytes_of(metadata));
  const auto message = message_of<EnvironmentError>([&] { (void)read_tokenizer(file); });
  const std::string start = "read_tokenizer: " + file.string() + ": ";
  return message.starts_with(start) ? message.substr(start.size()) : message;
}

TEST(GgufTokenizer, TakesTokensAroundTextsFromTheFile) {
  auto metadata = small("gpt2");
  EXPECT_EQ(read(metadata).encode("aba").ids, (Ids{2, 0}));
  metadata["begins"] = boolean("tokenizer.ggml.add_bos_token", true);
  EXPECT_EQ(read(metadata).encode("aba").ids, (Ids{3, 2, 0}));
  EXPECT_EQ(read(metadata).encode("a", "b"), (EncodedText{{3, 0, 3, 1}, {0, 0, 1, 1}}));
  metadata["eos"] = integer("tokenizer.ggml.eos_token_id", 3);
  metadata["ends"] = boolean("tokenizer.ggml.add_eos_token", true);
  EXPECT_EQ(read(metadata).encode("b").ids, (Ids{3, 1, 3}));
  EXPECT_EQ(read(metadata).decode(Ids{3, 2, 3}), "ab");
  metadata["tokens"] = list("tokenizer.ggml.tokens", std::vector<std::string_view>{});
  metadata["types"] = {};
  metadata["merges"] = list("tokenizer.ggml.merges", std::vector<std::string_view>{});
  metadata["begins"] = metadata["ends"] = {};
  EXPECT_EQ(read(metadata).size(), 0);
  EXPECT_EQ(read(metadata).encode("ab").ids, Ids());
}

TEST(GgufTokenizer, WhatIsNotSupportedIsAnErrorThatNamesTheKeyAndTheValue) {
  EXPECT_EQ(error_with("gpt2", "model", {}), "has no tokenizer.ggml.model, a text is expected");
  EXPECT_EQ(error_with("gpt2", "model", integer("tokenizer.ggml.model", 1)),
            "tokenizer.ggml.model is not a text");
  EXPECT_EQ(error_with("bert", "x", {}),
            "tokenizer.ggml.model is \"bert\", supported: gpt2, llama");
  EXPECT_EQ(error_with("gpt2", "pre", words("tokenizer.ggml.pre", "default")),
            "tokenizer.ggml.pre is \"default\", supported: gpt-2, phi-2, olmo, mpt, smollm, "
            "starcoder, refact, command-r, llama-bpe, llama3, llama-v3, qwen2, deepseek-r1-qwen, "
            "gpt-4o, llama4, tekken, deepseek-v3");
  EXPECT_EQ(error_with("gpt2", "pre", {}), "has no tokenizer.ggml.pre, a text is expected");
  EXPECT_EQ(error_with("gpt2", "tokens", {}), "has no tokenizer.ggml.tokens, a list is expected");
  EXPECT_EQ(error_with("gpt2", "tokens",
                       list("tokenizer.ggml.tokens", std::vector<std::int32_t>{1, 2, 3, 4})),
            "tokenizer.ggml.tokens[0] is not a text");
  EXPECT_EQ(
      error_with("gpt2", "tokens",
                 list("tokenizer.ggml.tokens", std::vector<std::string_view>{"a", "b", "ab", "a"})),
      "token \"a\" has the ids 0 and 3");
  EXPECT_EQ(error_with("gpt2", "types",
                       list("tokenizer.ggml.token_type", std::vector<std::int32_t>{1, 1})),
            "tokenizer.ggml.token_type has 2 elements, there are 4 tokens");
  EXPECT_EQ(error_with("gpt2", "types",
                       list("tokenizer.ggml.token_type", std::vector<std::int32_t>{1, 1, 1, 7})),
            "tokenizer.ggml.token_type[3] is 7, supported: 1 to 6");
  EXPECT_EQ(error_with("gpt2", "merges", {}), "has no tokenizer.ggml.merges, a list is expected");
  EXPECT_EQ(error_with("gpt2", "merges",
                       list("tokenizer.ggml.merges", std::vector<std::string_view>{"a c"})),
            "model.merges[0]: token \"c\" is not in the vocabulary");
  EXPECT_EQ(error_with("gpt2", "prefix", boolean("tokenizer.ggml.add_space_prefix", true)),
            "tokenizer.ggml.add_space_prefix is true, supported for gpt2: false");
  EXPECT_EQ(error_with("llama", "scores", {}), "has no tokenizer.ggml.scores, a list is expected");
  EXPECT_EQ(
      error_with("llama", "scores", list("tokenizer.ggml.scores", std::vector<float>{0, 0, 0})),
      "tokenizer.ggml.scores has 3 elements, there are 4 tokens");
  EXPECT_EQ(error_with("llama", "scores",
                       list("tokenizer.ggml.scores", std::vector<float>{0, 0, NAN, 0})),
            "tokenizer.ggml.scores[2] is NaN");
  EXPECT_EQ(error_with("llama", "bos", {}),
            "has no tokenizer.ggml.bos_token_id, an integer is expected");
  EXPECT_EQ(error_with("llama", "bos", integer("tokenizer.ggml.bos_token_id", 4)),
            "tokenizer.ggml.bos_token_id is 4, there are 4 tokens");
  const std::string longer(1025, 'a');
  EXPECT_EQ(error_with("llama", "tokens",
                       list("tokenizer.ggml.tokens",
                            std::vector<std::string_view>{"a", "b", longer, "<s>"})),
            "token 2 has 1025 bytes, at most 1024 are supported");
}

}  // namespace gguf_tokenizer_test
}  // namespace ddx::data
