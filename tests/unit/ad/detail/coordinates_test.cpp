#include "ddx/ad/detail/coordinates.h"

#include "ddx/ad/differentiable.h"
#include "ddx/ad/no_tangent.h"

#include <array>
#include <complex>
#include <concepts>
#include <gtest/gtest.h>
#include <tuple>
#include <utility>
#include <vector>

namespace coordinates_test {

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

TEST(Coordinates, OfComplexNumbersAreTheirParts) {
  std::pair<std::complex<double>, float> tangent{{1.0, 2.0}, 3.0F};
  ddx::detail::set_unit(tangent, 1);
  EXPECT_EQ(tangent.first, (std::complex<double>{0.0, 1.0}));
  EXPECT_EQ(ddx::detail::coordinate_count(tangent), 3U);
}

struct Pair {
  std::array<double, 3> point{};
  float weight = 0;
  int number = 0;
  DDX_DIFFERENTIABLE(Pair, point, weight)
  DDX_NO_DERIVATIVE(number)
};

TEST(Coordinates, AreCountedByTypesWithoutVectors) {
  using ddx::detail::fixed_coordinates;
  EXPECT_EQ(fixed_coordinates<double>(), 1U);
  EXPECT_EQ(fixed_coordinates<ddx::NoTangent>(), 0U);
  EXPECT_EQ((fixed_coordinates<std::pair<std::array<float, 3>, ddx::NoTangent>>()), 3U);
  EXPECT_EQ((fixed_coordinates<std::tuple<double[2], std::complex<float>>>()), 4U);
  EXPECT_EQ(fixed_coordinates<ddx::TangentOf<Pair>>(), 4U);
  EXPECT_EQ((fixed_coordinates<std::array<ddx::TangentOf<Pair>, 2>>()), 8U);
  EXPECT_EQ(fixed_coordinates<Mixed>(), ddx::detail::not_fixed);
  EXPECT_EQ((fixed_coordinates<std::array<std::vector<double>, 2>>()), ddx::detail::not_fixed);
}

TEST(Coordinates, HaveTheWidestType) {
  EXPECT_TRUE((std::same_as<ddx::detail::CoordinateOf<Mixed>, double>));
  EXPECT_TRUE((std::same_as<ddx::detail::CoordinateOf<std::vector<float>>, float>));
}

}  // namespace coordinates_test
