#include "ddx/ad/detail/inner.h"

#include "ddx/ad/differentiable.h"
#include "ddx/ad/no_tangent.h"

#include <array>
#include <gtest/gtest.h>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

namespace inner_test {

using ddx::detail::inner;

struct Line {
  double slope = 0;
  std::array<float, 2> ends{};
  DDX_DIFFERENTIABLE(Line, slope, ends)
};

TEST(Inner, SumsOverAllNumbers) {
  EXPECT_EQ(inner(3.0, 4.0), 12.0);
  EXPECT_EQ(inner(std::vector{1.0, 2.0}, std::vector{10.0, 100.0}), 210.0);
  EXPECT_EQ(inner(std::pair(2.0, ddx::NoTangent{}), std::pair(5.0, ddx::NoTangent{})), 10.0);
  const Line::TangentVector a{2.0, {3.0F, 5.0F}};
  const Line::TangentVector b{10.0, {100.0F, 1000.0F}};
  EXPECT_EQ(inner(a, b), 5320.0);
  EXPECT_EQ(inner(std::tuple(a, 1.0F), std::tuple(b, 7.0F)), 5327.0);
}

TEST(Inner, TakesAnEmptyVectorForZeros) {
  EXPECT_EQ(inner(std::vector<double>{}, std::vector{10.0}), 0.0);
  EXPECT_EQ(inner(std::vector{std::vector{1.0}, {}}, std::vector{std::vector{3.0}, {4.0}}), 3.0);
}

TEST(Inner, LetsAZeroTangentHideAnInfiniteSlope) {
  EXPECT_EQ(inner(std::numeric_limits<double>::infinity(), 0.0), 0.0);
}

}  // namespace inner_test
