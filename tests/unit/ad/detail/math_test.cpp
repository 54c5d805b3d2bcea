// The rows of scalar.def test most of this header; here is what no row can show.

#include "ddx/ad/detail/math.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace {

using ddx::detail::over_squared_norm;
using ddx::detail::pow_base_partial;
using ddx::detail::sign;

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Sign, OfNaNIsZero) {
  EXPECT_EQ(sign(std::numeric_limits<double>::quiet_NaN()), 0.0);
  EXPECT_EQ(sign(infinity), 1.0);
  EXPECT_EQ(sign(-1e-310), -1.0);
}

TEST(OverSquaredNorm, IsZeroAtInfinity) {
  EXPECT_EQ(over_squared_norm(infinity, infinity, 1.0), 0.0);
  EXPECT_EQ(over_squared_norm(1.0, infinity, 1.0), 0.0);
}

TEST(PowBasePartial, IsTheSameForConstantAndVariableExponents) {
  volatile double hidden = 3.0;
  const double exponent = hidden;
  EXPECT_DOUBLE_EQ(pow_base_partial(1.7, exponent, std::pow(1.7, exponent)),
                   pow_base_partial(1.7, 3.0, std::pow(1.7, 3.0)));
}

TEST(PowBasePartial, KeepsItsDigitsWhereThePowerHasNone) {
  volatile double hidden = 2.0;
  const double exponent = hidden;
  EXPECT_EQ(pow_base_partial(1e-200, exponent, 0.0), 2e-200);
}

}  // namespace
