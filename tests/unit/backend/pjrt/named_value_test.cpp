#include "backend/pjrt/named_value.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::backend::pjrt {
namespace named_value_test {

const std::vector<Named> all{{"text", std::string("words")},
                             {"number", std::int64_t{-5}},
                             {"list", std::vector<std::int64_t>{1, 2}},
                             {"part", 0.5F},
                             {"truth", true}};

TEST(PjrtNamedValue, ComesBackFromItsStruct) {
  const auto raw = to_raw(all);
  ASSERT_EQ(raw.size(), 5U);
  EXPECT_EQ(from_raw(raw.data(), raw.size()), all);
}

TEST(PjrtNamedValue, IsTextForPeople) {
  EXPECT_EQ(to_string(all[0]), "text=words");
  EXPECT_EQ(to_string(all[1]), "number=-5");
  EXPECT_EQ(to_string(all[2]), "list=[1, 2]");
  EXPECT_EQ(to_string(all[3]), "part=0.500000");
  EXPECT_EQ(to_string(all[4]), "truth=true");
}

// A newer plugin's structs may be longer: each says how long it is.
TEST(PjrtNamedValue, LongerStructsAreSteppedOver) {
  struct Longer {
    NamedValue value;
    std::int64_t more = 99;
  };
  std::vector<Longer> longer;
  for (const NamedValue& value : to_raw(all)) {
    longer.push_back({value});
    longer.back().value.head.size = sizeof(Longer);
  }
  EXPECT_EQ(from_raw(&longer.front().value, longer.size()), all);
}

}  // namespace named_value_test
}  // namespace ddx::backend::pjrt
