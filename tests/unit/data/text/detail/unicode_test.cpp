#include "data/text/detail/unicode.h"

#include "tests/support/recording.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <string>

namespace ddx::data::detail {
namespace unicode_test {

/// Every code point but the surrogates, which no text holds.
std::u32string every_point() {
  std::u32string points;
  for (char32_t point = 0; point <= 0x10FFFF; ++point) {
    if (point < 0xD800 || point > 0xDFFF) {
      points.push_back(point);
    }
  }
  return points;
}

std::uint64_t digest(const std::u32string& points) {
  std::uint64_t value = 0;
  for (const auto point : points) {
    value = value * 1000003 + point + 1;
  }
  return value;
}

std::u32string members(const std::function<bool(char32_t)>& holds) {
  std::u32string found;
  for (const auto point : every_point()) {
    if (holds(point)) {
      found.push_back(point);
    }
  }
  return found;
}

TEST(Unicode, EveryCodePointHasThePropertiesThatWereRecorded) {
  std::u32string mixed;
  for (const auto point : every_point()) {
    mixed += {U'a', 0x345, point, 0x334};
  }
  const std::map<std::string, std::u32string> found = {
      {"letter", members(is_letter)},
      {"number", members(is_number)},
      {"punctuation", members(is_punctuation)},
      {"control", members(is_control)},
      {"mark", members(is_mark)},
      {"nonspacing",
       members([](char32_t point) { return general_category(point) == GeneralCategory::Mn; })},
      {"white space", members(is_white_space)},
      {"decomposition", canonical_decomposition(every_point())},
      {"compatibility decomposition", compatibility_decomposition(every_point())},
      {"composition", canonical_composition(canonical_decomposition(every_point()))},
      {"compatibility composition",
       canonical_composition(compatibility_decomposition(every_point()))},
      {"lower case", lower_case(every_point())},
      {"order", canonical_decomposition(mixed)},
      {"composed order", canonical_composition(canonical_decomposition(mixed))},
  };
  const auto rows = ddx::testing::recording("text/unicode.json")["rows"];
  ASSERT_EQ(rows.size(), found.size());
  for (const auto& row : rows) {
    const auto& points = found.at(row["name"]);
    EXPECT_EQ(points.size(), row["count"].get<std::size_t>()) << row["name"];
    EXPECT_EQ(digest(points), std::stoull(row["digest"].get<std::string>(), nullptr, 16))
        << row["name"];
  }
}

TEST(Unicode, WhatIsNoCodePointIsNotAssigned) {
  EXPECT_EQ(general_category(0x110000), GeneralCategory::Cn);
  EXPECT_EQ(general_category(0xFFFFFFFF), GeneralCategory::Cn);
}

}  // namespace unicode_test
}  // namespace ddx::data::detail
