#include "ddx/data/detail/lines.h"

#include "ddx/core/error.h"

#include "tests/support/temporary_folder.h"
#include "tests/support/text_file.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ddx::data::detail {
namespace lines_test {

using ddx::testing::message_of;
using ddx::testing::TemporaryFolder;
using ddx::testing::write_text;
using Views = std::vector<std::string_view>;

std::vector<std::string> lines_of(const std::string& text) {
  const TemporaryFolder folder;
  Lines lines(write_text(folder, "a", text), "test");
  std::vector<std::string> all;
  while (lines.next()) {
    all.emplace_back(lines.text());
    EXPECT_EQ(lines.number(), all.size());
  }
  EXPECT_FALSE(lines.next());
  return all;
}

TEST(Lines, EndWithOrWithoutABreak) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(lines_of("a\n\nb"), (Texts{"a", "", "b"}));
  EXPECT_EQ(lines_of("a\r\nb\r\n"), (Texts{"a", "b"}));
  EXPECT_EQ(lines_of("\n"), (Texts{""}));
  EXPECT_EQ(lines_of("a\rb"), (Texts{"a\rb"}));
}

TEST(Lines, NameTheFileAndTheLine) {
  const TemporaryFolder folder;
  const auto file = write_text(folder, "a", "x\n1,2\n");
  Lines lines(file, "test");
  (void)lines.next();
  (void)lines.next();
  const std::string place = "test: " + file.string() + ", line 2: ";
  EXPECT_EQ(message_of<EnvironmentError>([&] { (void)lines.cells(",", 3); }),
            place + "2 cells, 3 are expected");
  EXPECT_EQ(message_of<EnvironmentError>([&] { (void)lines.number_in<int>("1x", "the price"); }),
            place + "the price is \"1x\", not such a number");
  EXPECT_EQ(lines.cells(",", 2), (Views{"1", "2"}));
  EXPECT_EQ(message_of<EnvironmentError>([&] { Lines(write_text(folder, "b", ""), "test"); }),
            "test: " + (folder.path() / "b").string() + ": the file is empty");
}

TEST(SplitCells, KeepsEmptyOnes) {
  EXPECT_EQ(split_cells("a,,b,", ","), (Views{"a", "", "b", ""}));
  EXPECT_EQ(split_cells("", ","), (Views{""}));
  EXPECT_EQ(split_cells("1::2:3", "::"), (Views{"1", "2:3"}));
}

TEST(SplitWords, SkipsBlanks) {
  EXPECT_EQ(split_words("  a\tb  c "), (Views{"a", "b", "c"}));
  EXPECT_EQ(split_words(" \t"), Views());
  EXPECT_EQ(split_words(""), Views());
}

TEST(ParseNumber, TakesTheWholeText) {
  EXPECT_EQ(parse_number<std::int64_t>("-12"), -12);
  EXPECT_EQ(parse_number<double>("1e3"), 1000);
  EXPECT_EQ(parse_number<int>("12 "), std::nullopt);
  EXPECT_EQ(parse_number<int>(""), std::nullopt);
  EXPECT_EQ(parse_number<std::uint8_t>("256"), std::nullopt);
}

}  // namespace lines_test
}  // namespace ddx::data::detail
