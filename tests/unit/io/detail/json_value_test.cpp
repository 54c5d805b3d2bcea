#include "io/detail/json_value.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace ddx::io::detail {
namespace json_value_test {

TEST(JsonValue, IsOfOneKind) {
  EXPECT_TRUE(JsonValue().is_null());
  EXPECT_TRUE(*JsonValue(true).boolean());
  EXPECT_EQ(*JsonValue(std::string("a")).text(), "a");
  EXPECT_TRUE(JsonValue(JsonList()).list()->empty());
  EXPECT_TRUE(JsonValue(JsonObject()).object()->empty());
  const JsonValue number(1.5);
  EXPECT_FALSE(number.is_null());
  EXPECT_EQ(number.boolean(), nullptr);
  EXPECT_EQ(number.text(), nullptr);
  EXPECT_EQ(number.list(), nullptr);
  EXPECT_EQ(number.object(), nullptr);
  EXPECT_EQ(JsonValue(true).number(), std::nullopt);
}

TEST(JsonValue, IntegersHaveSixtyFourBitsWithASign) {
  EXPECT_EQ(JsonValue(std::int64_t{-3}).integer(), -3);
  constexpr auto largest = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(JsonValue(static_cast<std::uint64_t>(largest)).integer(), largest);
  EXPECT_EQ(JsonValue(static_cast<std::uint64_t>(largest) + 1).integer(), std::nullopt);
  EXPECT_EQ(JsonValue(3.0).integer(), std::nullopt);
  EXPECT_EQ(JsonValue(static_cast<std::uint64_t>(largest) + 1).number(), 9223372036854775808.0);
  EXPECT_EQ(JsonValue(std::int64_t{-3}).number(), -3.0);
  EXPECT_EQ(JsonValue(1.5).number(), 1.5);
}

TEST(JsonValue, IsShownAsJson) {
  JsonList list;
  list.emplace_back();
  list.emplace_back(false);
  list.emplace_back(4.0);
  list.emplace_back(1e-5);
  list.emplace_back(std::string("\n\""));
  JsonObject object;
  object.emplace("a", std::move(list));
  object.emplace("b", JsonObject());
  const JsonValue value(std::move(object));
  const std::string text = R"({"a":[null,false,4.0,1e-05,"\n\""],"b":{}})";
  EXPECT_EQ(value.shown(text.size()), text);
  EXPECT_EQ(value.shown(10), text.substr(0, 10) + "...");
}

}  // namespace json_value_test
}  // namespace ddx::io::detail
