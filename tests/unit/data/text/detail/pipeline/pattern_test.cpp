#include "data/text/detail/pipeline/pattern.h"

#include "ddx/core/error.h"
#include "ddx/data/text/tokenizer.h"

#include "data/text/detail/pipeline/pattern_syntax.h"
#include "data/text/detail/pipeline/pieces.h"
#include "tests/support/recording.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ddx::data::detail {
namespace pattern_test {

using ddx::testing::message_of;

void refuse(const std::string& facts) {
  throw UsageError("test", facts);
}

std::vector<std::string> pieces_of(const std::string& text, const std::string& pattern) {
  Pieces pieces{.text = text, .spans = {{0, text.size()}}};
  split_pieces(pieces, parts_at_pattern(pattern, refuse), SplitBehavior::Isolated);
  std::vector<std::string> found;
  for (const auto& span : pieces.spans) {
    found.emplace_back(pieces.piece(span));
  }
  return found;
}

/// Skipped where the library was built without PCRE2.
class Pattern : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_regular_expressions()) {
      EXPECT_EQ(
          message_of<UsageError>([] { (void)parts_at_pattern("a", refuse); }),
          R"(test: the regular expression "a" needs PCRE2, and this ddx was built without it)");
      GTEST_SKIP();
    }
  }
};

TEST_F(Pattern, SplitsATextAsOnigurumaDoes) {
  const auto recorded = ddx::testing::recording("text/tokenizer_json/patterns.cases.json");
  const auto text = recorded["text"][0].get<std::string>();
  for (const auto& row : recorded["patterns"]) {
    EXPECT_EQ(pieces_of(text, row["pattern"].get<std::string>()),
              row["pieces"].get<std::vector<std::string>>())
        << row["pattern"];
  }
}

TEST_F(Pattern, WhatHasNoTranslationIsRefused) {
  const struct {
    const char* pattern;
    const char* facts;
  } cases[] = {
      {R"((a)\1)", R"(the escape "\\1" at byte 3)"},
      {R"(\k<a>)", R"(the escape "\\k" at byte 0)"},
      {"(*ACCEPT)", "a control verb at byte 0"},
      {"(?x: a)", R"(the group "(?x" at byte 0)"},
      {"a(?i)b", R"x(the group "(?i)" at byte 1)x"},
      {"(?R)", R"(the group "(?R" at byte 0)"},
      {"a{1,2}+", "a repetition {n,m}+ at byte 1"},
      {"[a&&b]", "an intersection of classes at byte 2"},
      {"[a[^b]]", "the class within a class at byte 2"},
      {"[[:alpha:]]", "the class within a class at byte 1"},
      {R"([\W])", "the complement of a set within a class at byte 1"},
      {"[a", "a class without an end at byte 2"},
      {R"(\pL)", R"(the escape "\\pL" at byte 0)"},
      {R"(\p{L&})", R"(the property "L&" at byte 0)"},
      {R"(\xE9)", R"(the escape "\\xE9" at byte 0)"},
      {R"(a\)", R"(the escape "\\" at byte 1)"},
  };
  for (const auto& [pattern, facts] : cases) {
    const auto message = message_of<UsageError>([&] { (void)pcre2_syntax(pattern, refuse); });
    EXPECT_TRUE(message.ends_with(std::string(": ") + facts + " is not supported"))
        << pattern << ": " << message;
  }
}

TEST_F(Pattern, AnExpressionThatIsWrongIsRefusedWithTheReason) {
  EXPECT_EQ(message_of<UsageError>([] { (void)parts_at_pattern("a(b", refuse); }),
            R"(test: the regular expression "a(b" is not understood: missing closing parenthesis)");
  EXPECT_EQ(message_of<UsageError>([] { (void)parts_at_pattern(R"(\p{Nonsense})", refuse); }),
            R"(test: the regular expression "\\p{Nonsense}" is not understood: unknown property )"
            R"(after \P or \p)");
}

TEST_F(Pattern, ASearchThatDoesNotEndIsAnError) {
  EXPECT_EQ(message_of<EnvironmentError>(
                [] { (void)pieces_of(std::string(64, 'a'), "(?:(?:a+)+)+[bc]"); }),
            R"(Tokenizer: the regular expression "(?:(?:a+)+)+[bc]" on a text of 64 bytes: match )"
            "limit exceeded");
}

TEST_F(Pattern, ALongTextTakesNoDeepStack) {
  const std::string text(1 << 16, 'a');
  EXPECT_EQ(pieces_of(text, "(?:a|b)*c|a+").size(), 1U);
}

}  // namespace pattern_test
}  // namespace ddx::data::detail
