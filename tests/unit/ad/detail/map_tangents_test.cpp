#include "ddx/ad/detail/coordinates.h"
#include "ddx/ad/detail/inner.h"
#include "ddx/ad/detail/zeros.h"
#include "ddx/ad/tangent.h"
#include "ddx/core/error.h"

#include <concepts>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace map_tangents_test {

using Vectors = std::map<std::string, std::vector<double>>;
using Numbers = std::map<int, double>;

TEST(MapTangent, HasTheKeysOfItsMap) {
  EXPECT_TRUE((std::same_as<ddx::TangentOf<Vectors>, Vectors>));
  EXPECT_TRUE((std::same_as<ddx::TangentOf<std::unordered_map<char, float>>,
                            std::unordered_map<char, float>>));
  EXPECT_TRUE((std::same_as<ddx::TangentOf<std::map<int, int>>, ddx::NoTangent>));
  EXPECT_TRUE((std::same_as<ddx::TangentOf<std::map<double, double>>, ddx::NoTangent>));
}

TEST(MapTangent, AddsKeyByKey) {
  Numbers sum{{1, 2.0}, {2, 3.0}};
  ddx::detail::accumulate(sum, Numbers{{2, 4.0}, {5, 6.0}});
  EXPECT_EQ(sum, (Numbers{{1, 2.0}, {2, 7.0}, {5, 6.0}}));
  ddx::detail::accumulate(sum, sum);
  EXPECT_EQ(sum, (Numbers{{1, 4.0}, {2, 14.0}, {5, 12.0}}));
}

TEST(MapTangent, TakesTheShapeOfItsValue) {
  Vectors tangent{{"a", {1, 2}}};
  ddx::detail::conform<Vectors>(tangent, {{"a", {5, 6}}, {"b", {7}}});
  EXPECT_EQ(tangent, (Vectors{{"a", {1, 2}}, {"b", {0}}}));
  EXPECT_EQ(ddx::detail::take(tangent), (Vectors{{"a", {1, 2}}, {"b", {0}}}));
  EXPECT_EQ(tangent, (Vectors{{"a", {0, 0}}, {"b", {0}}}));
  EXPECT_THROW(ddx::detail::conform<Vectors>(tangent, {{"a", {5, 6}}}), ddx::UsageError);
}

TEST(MapTangent, ReadsAMissingKeyAsZero) {
  EXPECT_EQ(ddx::detail::inner(Numbers{{1, 2.0}, {2, 3.0}}, Numbers{{2, 5.0}, {3, 7.0}}), 15);
}

TEST(MapTangent, HasTheCoordinatesOfItsValues) {
  Vectors tangent{{"b", {0, 0}}, {"a", {0}}};
  EXPECT_EQ(ddx::detail::coordinate_count(tangent), 3);
  ddx::detail::set_unit(tangent, 1);
  EXPECT_EQ(tangent, (Vectors{{"a", {0}}, {"b", {1, 0}}}));
}

}  // namespace map_tangents_test
