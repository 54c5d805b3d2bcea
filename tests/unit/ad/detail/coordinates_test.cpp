#include "ddx/ad/detail/coordinates.h"

#include "ddx/ad/no_tangent.h"

#include <array>
#include <concepts>
#include <gtest/gtest.h>
#include <utility>
#include <vector>

namespace {

using Mixed = std::pair<std::vector<std::array<float, 2>>, std::pair<ddx::NoTangent, double>>;

TEST(Coordinates, AreTheNumbersInOrder) {
  Mixed tangent{{{1.0F, 2.0F}, {3.0F, 4.0F}}, {{}, 5.0}};
  std::vector<double> numbers;
  ddx::detail::for_each_coordinate(tangent, [&](auto& number) { numbers.push_back(number); });
  EXPECT_EQ(numbers, (std::vector<double>{1, 2, 3, 4, 5}));
  EXPECT_EQ(ddx::detail::coordinate_count(tangent), 5U);
}

TEST(Coordinates, SetUnitLeavesOneOne) {
  Mixed tangent{{{1.0F, 2.0F}}, {{}, 5.0}};
  ddx::detail::set_unit(tangent, 1);
  EXPECT_EQ(tangent, (Mixed{{{0.0F, 1.0F}}, {{}, 0.0}}));
  ddx::detail::set_unit(tangent, 2);
  EXPECT_EQ(tangent, (Mixed{{{0.0F, 0.0F}}, {{}, 1.0}}));
}

TEST(Coordinates, HaveTheWidestType) {
  EXPECT_TRUE((std::same_as<ddx::detail::CoordinateOf<Mixed>, double>));
  EXPECT_TRUE((std::same_as<ddx::detail::CoordinateOf<std::vector<float>>, float>));
}

}  // namespace
