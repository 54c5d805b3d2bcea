#include "ddx/ad/vjp.h"

#include "ddx/ad/attributes.h"

#include <gtest/gtest.h>

namespace vjp_test {

double cube(double x) {
  return x * x * x;
}

DDX_DERIVATIVE_OF(cube) auto cube_vjp(double x) {
  return ddx::vjp(cube(x), [x](double dy) { return 3 * x * x * dy; });
}

TEST(Vjp, PairsAValueWithItsPullback) {
  const auto [value, pullback] = cube_vjp(2.0);
  EXPECT_EQ(value, 8.0);
  EXPECT_EQ(pullback(10.0), 120.0);
}

TEST(Vjp, KeepsCopiesNotReferences) {
  double value = 1.0;
  const auto result = ddx::vjp(value, [](double dy) { return dy; });
  value = 2.0;
  EXPECT_EQ(result.value, 1.0);
}

TEST(Wanted, TellsEachParameterApart) {
  constexpr ddx::Wanted<3> wanted(true, false, true);
  EXPECT_TRUE(wanted[0]);
  EXPECT_FALSE(wanted[1]);
  EXPECT_TRUE(wanted[2]);
}

TEST(Wanted, AllWantsEachParameter) {
  constexpr auto wanted = ddx::Wanted<2>::all();
  EXPECT_TRUE(wanted[0]);
  EXPECT_TRUE(wanted[1]);
}

}  // namespace vjp_test
