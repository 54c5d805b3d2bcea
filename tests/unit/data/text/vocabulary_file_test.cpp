#include "ddx/data/text/vocabulary_file.h"

#include "ddx/core/error.h"
#include "ddx/data/text/vocabulary.h"

#include "tests/support/temporary_folder.h"
#include "tests/support/text_file.h"

#include <cstddef>
#include <functional>
#include <gtest/gtest.h>
#include <string>

namespace ddx::data {
namespace vocabulary_file_test {

using ddx::testing::message_of;
using ddx::testing::TemporaryFolder;
using ddx::testing::text_of;
using ddx::testing::write_text;

using Reader = Vocabulary (*)(const std::filesystem::path&);

/// The message without "OPERATION: FILE".
std::string read_error(const TemporaryFolder& folder, Reader read, const std::string& text) {
  const auto file = write_text(folder, "a", text);
  const auto message = message_of<EnvironmentError>([&] { (void)read(file); });
  const auto place = message.find(file.string());
  return place == std::string::npos ? message : message.substr(place + file.string().size());
}

TEST(VocabularyFile, JsonGivesTokensByTheirIds) {
  const TemporaryFolder folder;
  const auto file = write_text(folder, "a", R"( {"b": 1, "\u0120a\n": 0, "": 2} )");
  EXPECT_EQ(read_vocabulary_json(file), Vocabulary({"\u0120a\n", "b", ""}));
  EXPECT_EQ(read_vocabulary_json(write_text(folder, "a", "{}")), Vocabulary());
}

TEST(VocabularyFile, JsonThatIsNoVocabularyIsRefused) {
  struct Case {
    const char* why;
    std::string text;
    std::string message;
  };
  const Case cases[] = {
      {"empty", "", ": byte 0: not JSON"},
      {"cut off", R"({"a": 0)", ": byte 7: not JSON"},
      {"more", R"({"a": 0} x)", ": byte 9: not JSON"},
      {"not UTF-8", "{\"\xFF\": 0}", ": byte 2: not JSON"},
      {"a list", "[0]", ": not an object of tokens and ids"},
      {"a number", "0", ": not an object of tokens and ids"},
      {"a null", "null", ": not an object of tokens and ids"},
      {"an object inside", R"({"a": {}})", R"(: token "a": its id is not a number)"},
      {"a list inside", R"({"a": []})", R"(: token "a": its id is not a number)"},
      {"a string inside", R"({"a": "0"})", R"(: token "a": its id is not a number)"},
      {"a fraction", R"({"a": 0.5})", R"(: token "a": id 0.5)"},
      {"negative", R"({"a": -1})", R"(: token "a": id -1)"},
      {"twice", R"({"a": 0, "a": 1})", R"(: token "a": named twice)"},
      {"a gap", R"({"a": 0, "b": 2})", R"(: token "b": id 2 among 2 tokens)"},
      {"huge", R"({"a": 18446744073709551615})",
       R"(: token "a": id 18446744073709551615 among 1 tokens)"},
      {"one id for two", R"({"a": 0, "b": 0})", R"(: token "b": id 0 is also that of "a")"},
  };
  const TemporaryFolder folder;
  for (const auto& c : cases) {
    EXPECT_EQ(read_error(folder, read_vocabulary_json, c.text), c.message) << c.why;
  }
  EXPECT_EQ(read_error(folder, read_vocabulary_json, std::string(100000, '[')),
            ": not an object of tokens and ids");
}

TEST(VocabularyFile, LinesGiveTokensInTheirOrder) {
  const TemporaryFolder folder;
  const Vocabulary expected({"[PAD]", "##s", " b "});
  EXPECT_EQ(read_vocabulary_lines(write_text(folder, "a", "[PAD]\n##s\n b \n")), expected);
  EXPECT_EQ(read_vocabulary_lines(write_text(folder, "a", "[PAD]\r\n##s\r\n b ")), expected);
  EXPECT_EQ(read_vocabulary_lines(write_text(folder, "a", "")), Vocabulary());
}

TEST(VocabularyFile, LinesThatAreNoVocabularyAreRefused) {
  const TemporaryFolder folder;
  EXPECT_EQ(read_error(folder, read_vocabulary_lines, "a\n\nb\n"), ", line 2: the token is empty");
  EXPECT_EQ(read_error(folder, read_vocabulary_lines, "a\n\xC3\n"),
            ", line 2: the token is not UTF-8");
  EXPECT_EQ(read_error(folder, read_vocabulary_lines, "a\nb\na\n"),
            R"(, line 3: token "a" stands also in line 1)");
}

TEST(VocabularyFile, WhatIsWrittenIsRead) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a";
  const Vocabulary vocabulary({"\u0120\u4F60", "\"", "\\", "c"});
  write_vocabulary_json(file, vocabulary);
  EXPECT_EQ(text_of(file), "{\"\u0120\u4F60\":0,\"\\\"\":1,\"\\\\\":2,\"c\":3}");
  EXPECT_EQ(read_vocabulary_json(file), vocabulary);
  write_vocabulary_lines(file, vocabulary);
  EXPECT_EQ(text_of(file), "\u0120\u4F60\n\"\n\\\nc\n");
  EXPECT_EQ(read_vocabulary_lines(file), vocabulary);
}

TEST(VocabularyFile, WhatCannotBeReadBackIsNotWritten) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a";
  EXPECT_EQ(message_of<UsageError>([&] { write_vocabulary_json(file, Vocabulary({"\xFF"})); }),
            R"(write_vocabulary_json: token "\ufffd" is not UTF-8)");
  EXPECT_EQ(message_of<UsageError>([&] { write_vocabulary_lines(file, Vocabulary({"\xFF"})); }),
            R"(write_vocabulary_lines: token "\ufffd" is not UTF-8)");
  for (const std::string token : {"", "a\n", "a\r"}) {
    const auto message =
        message_of<UsageError>([&] { write_vocabulary_lines(file, Vocabulary({token})); });
    EXPECT_TRUE(message.ends_with(" is empty or holds a line break")) << message;
  }
  EXPECT_EQ(folder.entry_count(), 0);
}

}  // namespace vocabulary_file_test
}  // namespace ddx::data
