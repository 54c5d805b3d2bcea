#include "io/detail/bounded_json.h"

#include "ddx/core/error.h"

#include "io/detail/json_value.h"
#include "tests/support/temporary_folder.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

namespace ddx::io::detail {
namespace bounded_json_test {

using ddx::testing::message_of;

JsonValue parsed(const std::string& text, std::uint64_t max_bytes = 10'000) {
  return parse_bounded_json(
      {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()},
      {.max_bytes = max_bytes, .option = "Options::max_bytes", .max_depth = 4},
      [](const std::string& facts) { throw EnvironmentError("parse", facts); });
}

std::string error(const std::string& text, std::uint64_t max_bytes = 10'000) {
  return message_of<EnvironmentError>([&] { (void)parsed(text, max_bytes); });
}

TEST(BoundedJson, GivesTheValuesOfTheText) {
  const std::string text =
      R"({"a":[1,-2,0.5,"x\n",true,null,[],{}],"b":{"c":[[7],[8,9]]},"a b":"","b":3})";
  EXPECT_EQ(parsed(text).shown(1000), nlohmann::json::parse(text).dump());
  EXPECT_EQ(parsed("3").integer(), 3);
}

TEST(BoundedJson, WhatIsNoJsonIsRefused) {
  EXPECT_EQ(error(""), "parse: byte 0: not JSON");
  EXPECT_EQ(error("{"), "parse: byte 1: not JSON");
  EXPECT_EQ(error("[1,]"), "parse: byte 3: not JSON");
  EXPECT_EQ(error("{} x"), "parse: byte 3: not JSON");
  EXPECT_EQ(error("nul"), "parse: byte 3: not JSON");
  EXPECT_EQ(error("[NaN]"), "parse: byte 1: not JSON");
  EXPECT_EQ(error("[1e999]"), "parse: holds a number that is too large");
  EXPECT_EQ(error(std::string("[1]\0 x", 6)), "parse: byte 3: not JSON");
}

TEST(BoundedJson, EqualNamesAreRefusedWhereTheyMustDiffer) {
  const std::string text = R"({"b":{"a":1,"c":2,"a":1}})";
  EXPECT_EQ(parsed(text).shown(1000), R"({"b":{"a":1,"c":2}})");
  EXPECT_EQ(message_of<EnvironmentError>([&] {
              (void)parse_bounded_json(
                  {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()},
                  {.max_bytes = 10'000, .option = "o", .has_unique_names = true},
                  [](const std::string& facts) { throw EnvironmentError("parse", facts); });
            }),
            "parse: \"a\" is named twice");
}

TEST(BoundedJson, DepthAndMemoryAreBounded) {
  EXPECT_EQ(parsed("[[[[]]]]").list()->size(), 1U);
  EXPECT_EQ(error("[[[[[]]]]]"), "parse: nests deeper than 4 levels");
  EXPECT_EQ(error(R"({"a":{"a":{"a":{"a":{}}}}})"), "parse: nests deeper than 4 levels");
  EXPECT_EQ(error("[1,2,3,4]", 100),
            "parse: its values take more than 100 bytes; Options::max_bytes raises the limit");
}

}  // namespace bounded_json_test
}  // namespace ddx::io::detail
