// The rows of scalar.def test most of this header; here is what no row can show.

#include "ddx/ad/detail/math.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <vector>

namespace math_test {

using ddx::detail::over_squared_norm;
using ddx::detail::pow_base_partial;
using ddx::detail::sign;

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Sign, OfNaNIsZero) {
  EXPECT_EQ(sign(std::numeric_limits<double>::quiet_NaN()), 0.0);
  EXPECT_EQ(sign(infinity), 1.0);
  EXPECT_EQ(sign(-1e-310), -1.0);
}

TEST(SingularCotangent, IsNaNAtZeroUnlessNothingIsUsed) {
  EXPECT_EQ(ddx::detail::singular_cotangent(3.0, 2.0), 3.0);
  EXPECT_EQ(ddx::detail::singular_cotangent(0.0, 0.0), 0.0);
  EXPECT_TRUE(std::isnan(ddx::detail::singular_cotangent(3.0, 0.0)));
}

TEST(SingularRatio, IsNaNAtZero) {
  EXPECT_EQ(ddx::detail::singular_ratio(3.0, 2.0), 1.5);
  EXPECT_TRUE(std::isnan(ddx::detail::singular_ratio(0.0, 0.0)));
  EXPECT_TRUE(std::isnan(ddx::detail::singular_ratio(1.0, 0.0)));
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

/// Arguments of all sizes and both signs, and the edges.
template <class T>
std::vector<T> arguments() {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> exponent(-30, 30);
  std::vector<T> all{T(0), -T(0), std::numeric_limits<T>::denorm_min(),
                     std::numeric_limits<T>::max()};
  for (int i = 0; i < 20000; ++i) {
    const double size = std::exp2(exponent(random));
    all.push_back(static_cast<T>(i % 2 == 0 ? size : -size));
  }
  return all;
}

template <class T>
void expect_the_functions_of_the_library() {
  for (const T x : arguments<T>()) {
    T slope{};
    ASSERT_EQ(ddx::detail::sine_and_slope(x, slope), std::sin(x)) << x;
    ASSERT_EQ(slope, std::cos(x)) << x;
    ASSERT_EQ(ddx::detail::cosine_and_slope(x, slope), std::cos(x)) << x;
    ASSERT_EQ(slope, -std::sin(x)) << x;
  }
  T slope{};
  EXPECT_TRUE(std::isnan(ddx::detail::sine_and_slope(std::numeric_limits<T>::infinity(), slope)));
  EXPECT_TRUE(std::isnan(slope));
}

TEST(SineAndSlope, AreWhatTheFunctionsAloneGive) {
  expect_the_functions_of_the_library<float>();
  expect_the_functions_of_the_library<double>();
  expect_the_functions_of_the_library<long double>();
}

}  // namespace math_test
