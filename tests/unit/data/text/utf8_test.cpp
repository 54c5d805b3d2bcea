#include "ddx/data/text/utf8.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>

namespace ddx::data {
namespace utf8_test {

TEST(Utf8, EveryCodePointComesBack) {
  for (char32_t point = 0; point <= 0x10FFFF; ++point) {
    std::string text;
    append_utf8(text, point);
    const bool is_surrogate = point >= 0xD800 && point <= 0xDFFF;
    const auto expected = is_surrogate ? replacement_character : point;
    ASSERT_EQ(utf8_character_at(text, 0), (Utf8Character{expected, text.size(), true}))
        << static_cast<std::uint32_t>(point);
  }
}

TEST(Utf8, TheBytesAreThoseOfTheStandard) {
  // The Unicode Standard, table 3-4.
  EXPECT_EQ(to_utf8(U"\x4D\x430\x4E8C\x10302"), "\x4D\xD0\xB0\xE4\xBA\x8C\xF0\x90\x8C\x82");
  EXPECT_EQ(to_utf8(std::u32string(1, 0x110000)), "\xEF\xBF\xBD");
}

TEST(Utf8, WhatIsNotUtf8IsReplacedByTheLongestRunThatBeginsLikeACharacter) {
  struct Case {
    const char* why;
    std::string text;
    std::size_t replaced;  ///< How many replacement characters stand between < and >.
  };
  // The Unicode Standard, tables 3-8 to 3-11.
  const Case cases[] = {
      {"longer forms than needed", "<\xC0\xAF\xE0\x80\xBF\xF0\x81\x82>", 8},
      {"surrogates", "<\xED\xA0\x80\xED\xBF\xBF\xED\xAF>", 8},
      {"above the last", "<\xF4\x91\x92\x93\xFF>", 5},
      {"truncated", "<\xE1\x80\xE2\xF0\x91\x92\xF1\xBF>", 4},
      {"continuation alone", "<\x80\xBF>", 2},
      {"five bytes", "<\xF8\x88\x80\x80\x80>", 5},
  };
  for (const auto& c : cases) {
    std::string expected = "<";
    for (std::size_t i = 0; i < c.replaced; ++i) {
      expected += "\xEF\xBF\xBD";
    }
    EXPECT_EQ(valid_utf8(c.text), expected + ">") << c.why;
    EXPECT_FALSE(is_utf8(c.text)) << c.why;
    EXPECT_TRUE(is_utf8(valid_utf8(c.text))) << c.why;
  }
}

TEST(Utf8, ACharacterThatTheTextCutsOffIsReplacedOnce) {
  EXPECT_EQ(utf8_character_at("\xF0\x9F\x8E", 0), (Utf8Character{replacement_character, 3, false}));
  EXPECT_EQ(valid_utf8("a\xC3"), "a\xEF\xBF\xBD");
}

TEST(Utf8, AnEmptyTextIsValid) {
  EXPECT_TRUE(is_utf8(""));
  EXPECT_EQ(valid_utf8(""), "");
  EXPECT_TRUE(code_points("").empty());
}

}  // namespace utf8_test
}  // namespace ddx::data
