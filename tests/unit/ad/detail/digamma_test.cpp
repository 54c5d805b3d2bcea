#include "ddx/ad/detail/digamma.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace digamma_test {

using ddx::detail::digamma;

struct Value {
  const char* why;
  long double x, psi;
};

// psi(1) is minus Euler's constant g; psi(n + 1) = psi(n) + 1/n; psi(1/2) = -g - 2 log 2;
// psi(1/4) = -g - pi/2 - 3 log 2; reflection gives psi(-1/2) = psi(3/2) = psi(1/2) + 2.
const Value values[] = {
    {"the asymptotic series alone", 100, 4.6001618527380874002L},
    {"one", 1, -0.57721566490153286061L},
    {"up the recurrence", 10, 2.2517525890667211077L},
    {"between 0 and 1", 0.5L, -1.9635100260214234794L},
    {"between 0 and 1/2", 0.25L, -4.2274535333762654081L},
    {"below zero", -0.5L, 0.036489973978576520559L},
    {"far below zero", -1.5L, 0.70315664064524318723L},
};

TEST(Digamma, HasItsKnownValues) {
  for (const Value& value : values) {
    EXPECT_NEAR(static_cast<double>(std::fabs(digamma(value.x) - value.psi)), 0, 3e-18)
        << value.why;
    EXPECT_NEAR(digamma(static_cast<double>(value.x)), static_cast<double>(value.psi), 4e-15)
        << value.why;
    EXPECT_FLOAT_EQ(digamma(static_cast<float>(value.x)), static_cast<float>(value.psi))
        << value.why;
  }
}

TEST(Digamma, HasPolesAtZeroAndTheNegativeIntegers) {
  EXPECT_TRUE(std::isnan(digamma(0.0)));
  EXPECT_TRUE(std::isnan(digamma(-1.0)));
  EXPECT_TRUE(std::isnan(digamma(-1e6)));
}

TEST(Digamma, FollowsItsPoleNearZero) {
  // psi(x) = -1/x - g + O(x).
  EXPECT_NEAR(digamma(1e-9) * 1e-9, -1.0, 1e-9);
  EXPECT_NEAR(digamma(-1e-9) * 1e-9, 1.0, 1e-9);
}

TEST(Digamma, OfInfinityIsInfinite) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(digamma(infinity), infinity);
}

}  // namespace digamma_test
