#include "ddx/ad/detail/tangent_by_pullback.h"

#include "ddx/ad/no_tangent.h"
#include "ddx/ad/vjp.h"

#include <array>
#include <gtest/gtest.h>
#include <tuple>
#include <vector>

namespace tangent_by_pullback_test {

// y0 = a x0, y1 = a x1 + x0 at a = 3, x = (5, 7).
using Parts = std::tuple<double, std::vector<double>>;
const auto back = [](const std::array<double, 2>& dy) {
  return Parts{5 * dy[0] + 7 * dy[1], {3 * dy[0] + dy[1], 3 * dy[1]}};
};

TEST(TangentByPullback, IsTheJacobianTimesTheTangents) {
  std::array<double, 2> tangent{};
  ddx::detail::tangent_by_pullback<Parts>(back, tangent, ddx::Wanted<2>(true, true), 2.0,
                                          std::vector{10.0, 100.0});
  EXPECT_EQ(tangent, (std::array{5 * 2.0 + 3 * 10, 7 * 2.0 + 10 + 3 * 100}));
}

TEST(TangentByPullback, PassesOverConstants) {
  std::array<double, 2> tangent{};
  ddx::detail::tangent_by_pullback<Parts>(back, tangent, ddx::Wanted<2>(false, true),
                                          ddx::NoTangent{}, std::vector{10.0, 100.0});
  EXPECT_EQ(tangent, (std::array{30.0, 310.0}));
}

}  // namespace tangent_by_pullback_test
