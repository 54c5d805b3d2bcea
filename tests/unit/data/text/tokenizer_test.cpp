#include "ddx/data/text/tokenizer.h"

#include "ddx/core/error.h"
#include "ddx/data/text/encoded_text.h"

#include "tests/support/recording.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <gtest/gtest.h>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace ddx::data {
namespace tokenizer_test {

using ddx::testing::message_of;

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

/// What the script of the recording calls next_numbers.
class Numbers {
 public:
  explicit Numbers(std::uint64_t state) : state_(state) {}
  std::size_t below(std::size_t n) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::size_t>(state_ >> 33) % n;
  }

 private:
  std::uint64_t state_;
};

class Digest {
 public:
  void add(std::int64_t number) {
    value_ = value_ * 1000003 + static_cast<std::uint64_t>(number + 2);
  }
  [[nodiscard]] std::string text() const {
    std::ostringstream stream;
    stream << std::hex << std::setw(16) << std::setfill('0') << value_;
    return stream.str();
  }

 private:
  std::uint64_t value_ = 0;
};

TEST_P(RecordedTokenizer, GivesTheDigestsOfTenThousandLinesThatWereRecorded) {
  const auto recorded = ddx::testing::recording("text/tokenizer_json/lines.cases.json");
  const auto fragments = recorded["fragments"].get<std::vector<std::string>>();
  Numbers numbers(2);
  Digest of_ids;
  Digest of_texts;
  for (int line = recorded["count"][0]; line > 0; --line) {
    std::string text;
    for (std::size_t count = 1 + numbers.below(13); count > 0; --count) {
      text += fragments[numbers.below(fragments.size())];
    }
    const auto ids = tokenizer_.encode(text).ids;
    for (const auto id : ids) {
      of_ids.add(id);
    }
    of_ids.add(-1);
    for (const auto byte : tokenizer_.decode(ids)) {
      of_texts.add(static_cast<unsigned char>(byte));
    }
    of_texts.add(-1);
  }
  for (const auto& row : recorded["digests"]) {
    if (row["name"] == GetParam()) {
      EXPECT_EQ(of_ids.text(), row["ids"].get<std::string>());
      EXPECT_EQ(of_texts.text(), row["texts"].get<std::string>());
    }
  }
}

/// Those that need no regular expression, and those that do.
std::vector<const char*> readable_tokenizers() {
  std::vector<const char*> names = {"gpt2",          "roberta",     "prefixed_pairs", "llama2",
                                    "mistral",       "bert",        "bert_cased",     "albert",
                                    "unigram_bytes", "unigram_ties"};
  if (has_regular_expressions()) {
    names.insert(names.end(),
                 {"llama3", "qwen", "gpt4o", "deepseek", "bloom", "clip", "t5", "word_level"});
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(OfEveryKind, RecordedTokenizer, ::testing::ValuesIn(readable_tokenizers()),
                         [](const auto& info) { return std::string(info.param); });

/// A file with one part in place of that of a small tokenizer.
std::string message_with(const std::string& key, const std::string& part) {
  auto file = nlohmann::json::parse(R"({
    "added_tokens": [{"id": 3, "content": "<s>", "special": true}],
    "model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"]}
  })");
  file[nlohmann::json::json_pointer(key)] = nlohmann::json::parse(part);
  const ddx::testing::TemporaryFolder folder;
  const auto path = folder.path() / "tokenizer.json";
  std::ofstream(path) << file;
  const auto message = message_of<EnvironmentError>([&] { (void)read_tokenizer(path); });
  const auto start = "read_tokenizer: " + path.string() + ": ";
  EXPECT_TRUE(message.starts_with(start)) << message;
  return message.substr(std::min(start.size(), message.size()));
}

TEST(Tokenizer, WhatAFileAsksForAndIsNotSupportedIsAnErrorThatNamesIt) {
  const struct {
    const char* key;
    const char* part;
    const char* message;
  } cases[] = {
      {"/model/dropout", "0.1", "model.dropout: 0.1 is not supported"},
      {"/model/type", R"("Other")", R"(model.type: "Other" is not supported)"},
      {"/normalizer", R"({"type": "Sequence", "normalizers": [{"type": "NFX"}]})",
       R"(normalizer.normalizers[0].type: "NFX" is not supported)"},
      {"/pre_tokenizer", R"({"type": "UnicodeScripts"})",
       R"(pre_tokenizer.type: "UnicodeScripts" is not supported)"},
      {"/pre_tokenizer",
       R"({"type": "Split", "pattern": {"String": "a"}, "behavior": "Odd", "invert": false})",
       R"(pre_tokenizer.behavior: "Odd" is not supported)"},
      {"/pre_tokenizer", R"({"type": "Split", "pattern": {"String": ""}, "behavior": "Removed"})",
       R"(pre_tokenizer.pattern.String: "" is not supported)"},
      {"/pre_tokenizer", R"({"type": "Metaspace", "replacement": "_", "prepend_scheme": "odd"})",
       R"(pre_tokenizer.prepend_scheme: "odd" is not supported)"},
      {"/pre_tokenizer",
       R"({"type": "Metaspace", "replacement": "_", "prepend_scheme": "first",
           "add_prefix_space": false})",
       "pre_tokenizer.add_prefix_space: false, where prepend_scheme is first"},
      {"/decoder", R"({"type": "CTC"})", R"(decoder.type: "CTC" is not supported)"},
      {"/post_processor", R"({"type": "Other"})",
       R"(post_processor.type: "Other" is not supported)"},
      {"/post_processor", R"({"type": "BertProcessing", "sep": ["<s>", 3], "cls": ["<c>", 9]})",
       "post_processor: adds the id 9, which no token has"},
      {"/post_processor",
       R"({"type": "Sequence", "processors": [
            {"type": "BertProcessing", "sep": ["<s>", 3], "cls": ["<s>", 3]},
            {"type": "BertProcessing", "sep": ["<s>", 3], "cls": ["<s>", 3]}]})",
       "post_processor.processors[1].type: BertProcessing behind another one is not supported"},
  };
  for (const auto& [key, part, message] : cases) {
    EXPECT_EQ(message_with(key, part), message);
  }
}

TEST(Tokenizer, WhatIsWrongWithAFileIsAnErrorThatNamesIt) {
  const struct {
    const char* key;
    const char* part;
    const char* message;
  } cases[] = {
      {"/model", "null", "has no model"},
      {"/model", "[1]", "model is [1], an object is expected"},
      {"/model/vocab", "null", "has no model.vocab"},
      {"/model/vocab", "[]", "model.vocab: an object of tokens and ids is expected"},
      {"/model/vocab", R"({"a": -1})", R"(model.vocab: token "a" has the id -1)"},
      {"/model/vocab", R"({"a": 0, "b": 0})", R"(model.vocab: tokens "a" and "b" have the id 0)"},
      {"/model/merges", R"(["a b", "a c"])",
       R"(model.merges[1]: token "c" is not in the vocabulary)"},
      {"/model/merges", R"(["a b", ["a", "b"]])",
       R"(model.merges[1]: the merge of "a" and "b" stands there twice)"},
      {"/model/merges", R"(["a b c"])",
       R"(model.merges[0]: "a b c" where two tokens are expected)"},
      {"/model/fuse_unk", "1", "model.fuse_unk: 1 where true or false is expected"},
      {"/model/unk_token", "1", "model.unk_token: 1 where a text is expected"},
      {"/added_tokens/0/id", "0",
       R"(added_tokens[0].id: 0 of "<s>", where the model has the token "a")"},
      {"/added_tokens/0/content", R"("ab")",
       R"(added_tokens[0].id: 3 of "ab", where the model has the id 2)"},
      {"/added_tokens/0/content", R"("")", R"(added_tokens[0].content: "" is not supported)"},
      {"/added_tokens/1", R"({"id": 3, "content": "<t>"})",
       R"(added_tokens[1].id: token "<t>" or its id 3 stands there twice)"},
      {"/added_tokens/0/id", "2147483648",
       "added_tokens[0].id: 2147483648 where an integer from 0 to 2147483647 is expected"},
      {"/model", R"({"type": "Unigram", "vocab": [["a", -1], ["b"]]})",
       R"(model.vocab[1]: ["b"] where a piece and a score are expected)"},
      {"/model", R"({"type": "Unigram", "vocab": [["a", -1]], "unk_id": 1})",
       "model.unk_id: 1 of a vocabulary of 1 pieces"},
      {"/pre_tokenizer", R"({"type": "Metaspace", "replacement": "ab"})",
       R"(pre_tokenizer.replacement: "ab" where one character is expected)"},
      {"/normalizer", R"({"type": "Precompiled", "precompiled_charsmap": "A?=="})",
       R"(normalizer.precompiled_charsmap: "A?==" where base64 is expected)"},
      {"/normalizer", R"({"type": "Precompiled", "precompiled_charsmap": "AAAA"})",
       "normalizer.precompiled_charsmap: the table: replacements of 3 bytes cannot hold a trie of "
       "0"},
      {"/post_processor",
       R"({"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "<x>", "type_id": 0}}],
           "pair": [], "special_tokens": {}})",
       "has no post_processor.special_tokens.<x>"},
      {"/post_processor",
       R"({"type": "TemplateProcessing", "single": [{"Sequence": {"id": "A", "type_id": 0}},
           {"Sequence": {"id": "A", "type_id": 0}}], "pair": []})",
       "post_processor.single[1].Sequence.id: A a second time is not supported"},
  };
  for (const auto& [key, part, message] : cases) {
    EXPECT_EQ(message_with(key, part), message);
  }
}

TEST(Tokenizer, ARegularExpressionWithoutPcre2IsAnErrorThatNamesIt) {
  if (has_regular_expressions()) {
    GTEST_SKIP();
  }
  EXPECT_EQ(message_with("/pre_tokenizer",
                         R"({"type": "Split", "pattern": {"Regex": "a+"}, "behavior": "Removed"})"),
            R"(pre_tokenizer.pattern.Regex: the regular expression "a+" needs PCRE2, and this ddx )"
            "was built without it");
}

TEST(Tokenizer, AFileThatIsNoJsonOrTooLargeIsAnError) {
  const ddx::testing::TemporaryFolder folder;
  const auto path = folder.path() / "tokenizer.json";
  EXPECT_TRUE(message_of<EnvironmentError>([&] {
                (void)read_tokenizer(path);
              }).starts_with("read_tokenizer: "));
  std::ofstream(path) << "{\"model\": ";
  EXPECT_EQ(message_of<EnvironmentError>([&] { (void)read_tokenizer(folder.path()); }),
            "read_tokenizer: " + path.string() + ": byte 10: not JSON");
  EXPECT_EQ(message_of<EnvironmentError>([&] { (void)read_tokenizer(path, {.max_bytes = 5}); }),
            "read_tokenizer: cannot read " + path.string() + ": 10 bytes, at most 5 are accepted");
}

TEST(Tokenizer, StepsThatMultiplyATextAreAnError) {
  std::string steps;
  for (int i = 0; i < 40; ++i) {
    steps += i == 0 ? "" : ",";
    steps += R"({"type": "Replace", "pattern": {"String": "a"}, "content": "aa"})";
  }
  const ddx::testing::TemporaryFolder folder;
  const auto path = folder.path() / "tokenizer.json";
  std::ofstream(path) << R"({"normalizer": {"type": "Sequence", "normalizers": [)" << steps
                      << R"(]}, "model": {"type": "WordLevel", "vocab": {"a": 0}}})";
  const auto tokenizer = read_tokenizer(path);
  EXPECT_EQ(message_of<EnvironmentError>([&] { (void)tokenizer.encode("a"); }),
            "Tokenizer: its steps make more than 2097152 bytes of a text of 1, at most 64 for "
            "each are allowed");
}

TEST(Tokenizer, StepsThatMultiplyWhatLiesBetweenTokensAreAnError) {
  const ddx::testing::TemporaryFolder folder;
  const auto path = folder.path() / "tokenizer.json";
  std::ofstream(path) << R"({"normalizer": {"type": "Prepend", "prepend": ")"
                      << std::string(1000, 'a') << R"("},
                             "added_tokens": [{"id": 1, "content": "b", "special": true}],
                             "model": {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "a"}})";
  const auto tokenizer = read_tokenizer(path);
  std::string text;
  for (int i = 0; i < 2000; ++i) {
    text += "ab";
  }
  EXPECT_EQ(message_of<EnvironmentError>([&] { (void)tokenizer.encode(text); }),
            "Tokenizer: its steps make more than 1049048 bytes of a text of 4000, at most 64 for "
            "each are allowed");
}

TEST(Tokenizer, LimitsCountTheAddedTokens) {
  const auto tokenizer = read_tokenizer(ddx::testing::golden_file("text/tokenizer_json/bert.json"));
  EXPECT_EQ(tokenizer.encode("a b c d", {.limit = {.max_length = 4}}).ids.size(), 4U);
  EXPECT_EQ(tokenizer.encode("a b c d", "e f", {.limit = {.max_length = 5}}),
            tokenizer.encode("a", "e"));
  EXPECT_EQ(
      message_of<UsageError>([&] { (void)tokenizer.encode("a", {.limit = {.max_length = 1}}); }),
      "truncate: a limit of -1 ids is left for the text beside the special tokens");
}

TEST(Tokenizer, AnIdWithoutATokenIsAnError) {
  const auto tokenizer = read_tokenizer(ddx::testing::golden_file("text/tokenizer_json/bert.json"));
  for (const auto id : {-1, static_cast<std::int32_t>(tokenizer.size())}) {
    const auto message = "Tokenizer: id " + std::to_string(id) + " is none of its " +
                         std::to_string(tokenizer.size()) + " tokens";
    EXPECT_EQ(message_of<UsageError>([&] { (void)tokenizer.token_of(id); }), message);
    EXPECT_EQ(message_of<UsageError>([&] { (void)tokenizer.decode(Ids{id}); }), message);
  }
  EXPECT_EQ(tokenizer.id_of("no token"), std::nullopt);
}

TEST(Tokenizer, AnUnknownTokenThatTheModelLacksIsAnErrorWhereItIsNeeded) {
  const ddx::testing::TemporaryFolder folder;
  const auto path = folder.path() / "tokenizer.json";
  std::ofstream(path) << R"({"model": {"type": "WordLevel", "vocab": {"a": 0},
                             "unk_token": "?"}})";
  const auto tokenizer = read_tokenizer(path);
  EXPECT_EQ(tokenizer.encode("a").ids, Ids{0});
  EXPECT_EQ(message_of<EnvironmentError>([&] { (void)tokenizer.encode("b"); }),
            R"(Tokenizer: "b" is no token, and the model lacks its unknown token "?")");
}

TEST(Tokenizer, BytesThatAreNotUtf8AreReplaced) {
  const auto tokenizer = read_tokenizer(ddx::testing::golden_file("text/tokenizer_json/gpt2.json"));
  EXPECT_EQ(tokenizer.encode("a\xFF b\xC3"), tokenizer.encode("a\uFFFD b\uFFFD"));
}

}  // namespace tokenizer_test
}  // namespace ddx::data
