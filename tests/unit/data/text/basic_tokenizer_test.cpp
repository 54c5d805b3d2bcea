#include "ddx/data/text/basic_tokenizer.h"

#include "tests/support/recording.h"

#include <cstddef>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::data {
namespace basic_tokenizer_test {

using Words = std::vector<std::string>;

TEST(BasicTokenizer, GivesTheWordsThatWereRecorded) {
  const BasicTokenizer tokenizers[] = {
      BasicTokenizer(),
      BasicTokenizer({.lower_case = false}),
      BasicTokenizer({.strip_accents = false, .split_chinese = false}),
      BasicTokenizer({.lower_case = false, .strip_accents = true}),
  };
  const auto rows = ddx::testing::recording("text/bert/cases.json")["basic"];
  ASSERT_GT(rows.size(), 50U);
  for (const auto& row : rows) {
    ASSERT_EQ(row["words"].size(), std::size(tokenizers));
    for (std::size_t i = 0; i < std::size(tokenizers); ++i) {
      EXPECT_EQ(tokenizers[i].words(row["text"].get<std::string>()), row["words"][i].get<Words>())
          << row["text"] << " " << i;
    }
  }
}

TEST(BasicTokenizer, BytesThatAreNotUtf8Vanish) {
  EXPECT_EQ(BasicTokenizer().words("A\xFF\xC3 \xED\xA0\x80 b\xE2\x82"), (Words{"a", "b"}));
}

TEST(BasicTokenizer, ATextOfBlanksHasNoWord) {
  EXPECT_EQ(BasicTokenizer().words(""), Words{});
  EXPECT_EQ(BasicTokenizer().words(" \t\r\n\u3000"), Words{});
}

}  // namespace basic_tokenizer_test
}  // namespace ddx::data
