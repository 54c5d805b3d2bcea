#include "ddx/data/text/byte_pair_model.h"

#include "ddx/core/error.h"
#include "ddx/data/text/vocabulary.h"

#include "tests/support/recording.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/text_file.h"

#include <gtest/gtest.h>
#include <string>
#include <utility>

namespace ddx::data {
namespace byte_pair_model_test {

using ddx::testing::golden_file;
using ddx::testing::message_of;
using ddx::testing::TemporaryFolder;
using ddx::testing::text_of;
using ddx::testing::write_text;

constexpr auto vocabulary_text = R"({"a": 0, "b": 1, "ab": 2})";

std::string read_error(const TemporaryFolder& folder, const std::string& merges) {
  const auto vocabulary = write_text(folder, "v", vocabulary_text);
  const auto file = write_text(folder, "m", merges);
  const auto message =
      message_of<EnvironmentError>([&] { (void)read_byte_pair_model(vocabulary, file); });
  const auto start = "read_byte_pair_model: " + file.string() + ", ";
  return message.starts_with(start) ? message.substr(start.size()) : message;
}

TEST(BytePairModel, ReadsTokensAndMerges) {
  const TemporaryFolder folder;
  const auto vocabulary = write_text(folder, "v", vocabulary_text);
  const BytePairModel expected{.vocabulary = Vocabulary({"a", "b", "ab"}), .merges = {{"a", "b"}}};
  for (const std::string text : {"#version: 0.2\na b\n", "a b", "#version: 0.2\r\na b\r\n"}) {
    EXPECT_EQ(read_byte_pair_model(vocabulary, write_text(folder, "m", text)), expected) << text;
  }
  EXPECT_TRUE(read_byte_pair_model(vocabulary, write_text(folder, "m", "")).merges.empty());
}

TEST(BytePairModel, AMergeThatIsNoneIsReportedAtItsLine) {
  const TemporaryFolder folder;
  const std::string form = "not two tokens apart by a space";
  EXPECT_EQ(read_error(folder, "a b\n\n"), "line 2: " + form);
  EXPECT_EQ(read_error(folder, "ab\n"), "line 1: " + form);
  EXPECT_EQ(read_error(folder, "a b c\n"), "line 1: " + form);
  EXPECT_EQ(read_error(folder, " ab\n"), "line 1: " + form);
  EXPECT_EQ(read_error(folder, "ab \n"), "line 1: " + form);
  EXPECT_EQ(read_error(folder, "a b\n#version: 1\n"),
            R"(line 2: token "#version:" is not in the vocabulary)");
  EXPECT_EQ(read_error(folder, "x b\n"), R"(line 1: token "x" is not in the vocabulary)");
  EXPECT_EQ(read_error(folder, "a \xFF\n"), R"(line 1: token "\ufffd" is not in the vocabulary)");
  EXPECT_EQ(read_error(folder, "b a\n"), R"(line 1: token "ba" is not in the vocabulary)");
  EXPECT_EQ(read_error(folder, "#version: 0.2\na b\na b\n"),
            R"(line 3: the merge of "a" and "b" is also number 1)");
}

TEST(BytePairModel, WritesTheBytesThatWereRead) {
  const TemporaryFolder folder;
  const auto vocabulary = golden_file("text/byte_pairs/vocab.json");
  const auto merges = golden_file("text/byte_pairs/merges.txt");
  const auto model = read_byte_pair_model(vocabulary, merges);
  EXPECT_GT(model.merges.size(), 200U);
  write_byte_pair_model(folder.path() / "v", folder.path() / "m", model);
  EXPECT_EQ(text_of(folder.path() / "m"), text_of(merges));
  EXPECT_EQ(read_byte_pair_model(folder.path() / "v", folder.path() / "m"), model);
}

}  // namespace byte_pair_model_test
}  // namespace ddx::data
