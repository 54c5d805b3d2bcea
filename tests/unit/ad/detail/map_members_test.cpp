#include "ddx/ad/detail/map_members.h"

#include <gtest/gtest.h>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace map_members_test {

namespace algorithms = ddx::detail::algorithms;
using Numbers = std::map<std::string, double>;

TEST(MapMembers, ListTheKeysInTheOrderOfTheMap) {
  EXPECT_EQ(algorithms::map_keys(Numbers{{"b", 1}, {"a", 2}}),
            (std::vector<std::string>{"a", "b"}));
}

TEST(MapMembers, LeaveAKeyThatIsThere) {
  Numbers numbers{{"a", 1}};
  algorithms::map_insert(numbers, std::pair<const std::string, double>("a", 2));
  algorithms::map_emplace(numbers, "a", 3.0);
  algorithms::map_emplace(numbers, std::pair("b", 4.0));
  algorithms::map_try_emplace(numbers, "a", 5.0);
  algorithms::map_try_emplace(numbers, "c");
  EXPECT_EQ(numbers, (Numbers{{"a", 1}, {"b", 4}, {"c", 0}}));
}

TEST(MapMembers, OverwriteWhereTheirNameSaysSo) {
  Numbers numbers{{"a", 1}};
  algorithms::map_insert_or_assign(numbers, "a", 2.0);
  EXPECT_EQ(numbers, (Numbers{{"a", 2}}));
}

}  // namespace map_members_test
