// Divisions by one value share its reciprocal in the reverse sweep, where quotients are multiplied
// out again rather than kept; at the edges of the numbers each still has the slope of a division.

#include "gradient_check.h"

#include <cmath>
#include <cstddef>
#include <gtest/gtest.h>
#include <limits>
#include <tuple>
#include <vector>

namespace {

using Vector = std::vector<double>;

const Vector four{0.7, -1.2, 0.4, 1.5};
const Vector six{0.3, 1.1, -0.8, 0.6, 1.4, -0.5};

double by_one_divisor(const Vector& v, int n) {
  double d = v[0];
  double s = 0;
  for (int i = 0; i < n; ++i) {
    if (i % 3 == 1) {
      s += v[1] / d + d / v[1];
    } else if (i % 3 == 2) {
      s += std::sin(s) / d;
      d += 0.1 * s;
    }
    s = (s + v[2]) / d - v[1] / d;
    d *= 1.25;
    s += 1 / d;
  }
  return s / d + d / 3;
}

double in_segments(double x, double y, int which) {
  double s = x / y;
  switch (which) {
    case 0:
      s += x * s / y;
      y = s * 2;
      [[fallthrough]];
    case 1:
      s *= x / y;
      break;
    default:
      s -= y / x;
      y += 0.5;
  }
  return s / y;
}

double left_early(const Vector& v, double limit) {
  double s = 0;
  for (const double x : v) {
    const double part = s / (2 + x);
    if (x * x > limit) {
      return part / x + x / (2 + x);
    }
    s += part * part + x * x / (2 + x);
  }
  return s;
}

// The elements of the dividend and of the divisor change behind the division.
double of_what_is_overwritten(const Vector& v) {
  Vector w = v;
  double s = 0;
  for (std::size_t i = 1; i < w.size(); ++i) {
    s += w[i] * w[i - 1] / (w[0] * w[0]);
    w[i - 1] = s * s / w[i];
    w[0] += 1.5;
  }
  return s;
}

double of_neighbours(const Vector& v, const Vector& by) {
  double s = 0;
  for (std::size_t i = 1; i + 1 < v.size(); ++i) {
    s += v[i + 1] * v[i] / by[i] - v[i - 1] * v[i] / by[i] + v[i + 1] * v[i + 1] / by[i + 1];
  }
  return s * s;
}

double by_nothing(double x, double y) {
  const double zero = y - y;
  const double unused = x / zero;
  const double other = x * x / zero;
  return y > 0 ? x / y + y / (y * x) : unused + other;
}

double by_a_float(double x, float y) {
  const double a = x / y;
  const float b = 2.0F / y;
  return a * a + b / x + (1 - a) / y + x / static_cast<int>(y);
}

double of_two(double x, double y) {
  return x / y;
}
double of_a_product(double x, double y) {
  return x * x / y;
}
float of_two_floats(float x, float y) {
  return x / y;
}

}  // namespace

DDX_CHECK_GRADIENT(by_one_divisor, at(four, 0), at(six, 1), at(four, 5))
DDX_CHECK_GRADIENT(in_segments, at(0.5, 2.0, 0), at(-1.5, 0.3, 1), at(2.0, 1.0, 2))
DDX_CHECK_GRADIENT(left_early, at(four, 1.0), at(six, 0.3), at(six, 9.0))
DDX_CHECK_GRADIENT(of_what_is_overwritten, at(four), at(six), at(Vector{0.4, 2.5}))
DDX_CHECK_GRADIENT(of_neighbours, at(six, six), at(four, six), at(four, four))
DDX_CHECK_GRADIENT(by_nothing, at(0.5, 2.0), at(-1.5, 0.3), at(2.0, 1.0))

TEST(DDX_SUITE, OfQuotientsOfTwoPrecisions) {
  const double x = 1.25;
  const float y = 2.5F;
  const auto [by_x, by_y] = ddx::gradient(by_a_float, x, y);
  EXPECT_NEAR(by_x, 2 * x / (y * y) - 2 / (y * x * x) - 1 / (y * y) + 0.5, 1e-6);
  EXPECT_NEAR(by_y, -2 * x * x / (y * y * y) - 2 / (y * y * x) - 1 / (y * y) + 2 * x / (y * y * y),
              1e-6);
}

TEST(DDX_SUITE, OfAQuotientWhoseReciprocalOverflows) {
  for (const double divisor : {1e-310, -1e-310}) {
    const auto [by_x, by_y] = ddx::gradient(of_two, 0.0, divisor);
    EXPECT_EQ(by_x, 1 / divisor);
    EXPECT_EQ(by_y, 0);
    EXPECT_EQ(std::get<1>(ddx::gradient(of_a_product, 0.0, divisor)), 0);
  }
}

TEST(DDX_SUITE, OfAQuotientByZero) {
  const auto [by_x, by_y] = ddx::gradient(of_two, 3.0, 0.0);
  EXPECT_EQ(by_x, std::numeric_limits<double>::infinity());
  EXPECT_EQ(by_y, -std::numeric_limits<double>::infinity());
}

TEST(DDX_SUITE, OfAQuotientByInfinity) {
  const auto [by_x, by_y] = ddx::gradient(of_two, 3.0, std::numeric_limits<double>::infinity());
  EXPECT_EQ(by_x, 0);
  EXPECT_EQ(by_y, 0);
}

// Also where the derivative is inlined into the caller, and its sums may be reordered.
TEST(DDX_SUITE, OfInlinedQuotientsFarFromOne) {
  volatile float unknown = 1e25F;  // Or a constant: both are optimised.
  const auto quotient = [](float x, float y) { return x / y; };
  EXPECT_FLOAT_EQ(std::get<1>(ddx::gradient(quotient, 1e30F, 1e25F)), -1e-20F);
  EXPECT_FLOAT_EQ(std::get<1>(ddx::gradient(quotient, 1e30F, float(unknown))), -1e-20F);
  EXPECT_FLOAT_EQ(std::get<1>(ddx::gradient(quotient, 1e-30F, 1e-25F)), -1e20F);
  EXPECT_FLOAT_EQ(ddx::gradient([](float y) { return 1e30F / y; }, float(unknown)), -1e-20F);
}

// Neither the square of the divisor nor the cotangent times the quotient may leave the range.
TEST(DDX_SUITE, OfQuotientsFarFromOne) {
  const auto [by_large, by_divisor] = ddx::gradient(of_two_floats, 1e30F, 1e25F);
  EXPECT_FLOAT_EQ(by_large, 1e-25F);
  EXPECT_FLOAT_EQ(by_divisor, -1e-20F);
  const auto [by_small, by_least] = ddx::gradient(of_two_floats, 1e-30F, 1e-25F);
  EXPECT_FLOAT_EQ(by_small, 1e25F);
  EXPECT_FLOAT_EQ(by_least, -1e20F);
  const auto [by_x, by_y] =
      ddx::gradient([](double x, double y) { return 1e200 * (x / y); }, 1e200, 1e100);
  EXPECT_DOUBLE_EQ(by_x, 1e100);
  EXPECT_DOUBLE_EQ(by_y, -1e200);
}
