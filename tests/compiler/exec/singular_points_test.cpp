/// Products of roots and norms, whose derivatives are finite where those of the root are not, and
/// second derivatives at points where the first ones are infinite.

#include "gradient_check.h"

#include <algorithm>
#include <cmath>
#include <ddx/ad.h>
#include <gtest/gtest.h>
#include <vector>

namespace {

// --- Away from the points: what the rules of powers say is what the product rule says.

double roots(double x, double a) {
  const double r = std::sqrt(x);
  return a * r * r + r / a * r * std::sin(a) - r * (-r * r) + std::pow(r, 3) * a;
}

double cube_roots(double x, double a) {
  const double r = std::cbrt(x);
  return a * r * r * (a * r) + std::pow(r, 4) / a + r * r;
}

double powers_of_powers(double x, double y) {
  const double r = std::pow(x, y);
  return r * r * y + r * x * (r / y);
}

double norms(double x, double y, double z) {
  const double r = std::hypot(x, y);
  const double s = std::hypot(x, y, z);
  return 0.5 * z * r * r + std::pow(s, 2) * r + s * (s * s) + r * s;
}

double absolute_values(double x, double y) {
  return std::fabs(x) * y * std::abs(x) + std::pow(std::fabs(y), 3) +
         std::copysign(x, y) * std::copysign(x, y);
}

double arcs(double x, double y) {
  const double a = std::acos(x);
  const double b = std::acosh(y);
  return a * a * y + b * x * b + std::pow(a, 3) + std::pow(b, 4);
}

float in_float(float x, float y) {
  const float r = std::sqrt(x * x + y * y);
  return 2 * r * r - y * r * r * r;
}

/// The variable is another one between the root and the product.
double changed_in_between(double x, double y) {
  double s = x * x + y;
  const double r = std::sqrt(s);
  s = y * y;
  return r * s * r;
}

double in_branches_and_loops(double x, int trips) {
  double sum = 0;
  for (int i = 0; i < trips; ++i) {
    const double r = std::sqrt(x * x + i);
    if (i % 2 == 0) {
      sum += r * x * r;
    } else {
      sum -= r * r * sum;
    }
  }
  return sum;
}

/// Not a power: the two roots differ.
double of_two_roots(double x, double y) {
  return std::sqrt(x) * y * std::sqrt(y) + std::sqrt(x) * std::cbrt(x);
}

}  // namespace

DDX_CHECK_GRADIENT(roots, at(0.83, 1.2), at(1.1, -0.7), at(3.37, 2.0))
DDX_CHECK_GRADIENT(cube_roots, at(0.83, 1.2), at(-1.1, -0.7), at(3.37, 2.0))
DDX_CHECK_GRADIENT(powers_of_powers, at(0.83, 1.2), at(1.1, -0.7), at(3.37, 0.4))
DDX_CHECK_GRADIENT(norms, at(0.83, 1.2, 2.0), at(1.1, -0.7, 0.3), at(-3.37, 0.4, -1.0))
DDX_CHECK_GRADIENT(absolute_values, at(0.83, 1.2), at(-1.1, -0.7), at(3.37, 0.4))
DDX_CHECK_GRADIENT(arcs, at(0.83, 1.2), at(-0.4, 1.7), at(0.95, 3.0))
DDX_CHECK_GRADIENT_FLOAT(in_float, at(0.83f, 1.2f), at(-1.1f, 0.7f), at(0.5f, 2.0f))
DDX_CHECK_GRADIENT(changed_in_between, at(0.83, 1.2), at(1.1, 0.7), at(-3.37, 0.4))
DDX_CHECK_GRADIENT(in_branches_and_loops, at(0.83, 4), at(1.1, 1), at(-0.37, 3))
DDX_CHECK_GRADIENT(of_two_roots, at(0.83, 1.2), at(1.1, 0.7), at(3.37, 0.4))

namespace {

using Vector = std::vector<double>;

double square(double x) {
  return x * x;
}

double square_in_steps(double x) {
  double y = x;
  y *= x;
  return y;
}

struct Arrow {
  double x, y;
  [[nodiscard]] double length() const { return std::sqrt(x * x + y * y); }
};

/// Value, both first derivatives and the second one, of a function of one number.
template <class F>
void expect_derivatives(const F& f, double at, double first, double second) {
  EXPECT_EQ(ddx::value_with_gradient(f, at).value, f(at));
  EXPECT_DOUBLE_EQ(ddx::gradient(f, at), first);
  const auto [value, tangent] = ddx::jvp(f, ddx::along(1.0), at);
  EXPECT_EQ(value, f(at));
  EXPECT_DOUBLE_EQ(tangent, first);
  const double found = ddx::hessian(f, at)(0, 0);
  if (std::isnan(second)) {
    EXPECT_TRUE(std::isnan(found)) << found;
  } else {
    EXPECT_DOUBLE_EQ(found, second);
  }
}

}  // namespace

// sqrt(x)^2 = cbrt(x)^3 = x; acos(x)^2 = 2 (1 - x) + (1 - x)^2 / 3 + ..., the negative of
// acosh(x)^2.
TEST(SingularPoints, PowersAreDifferentiatedAsPowers) {
  expect_derivatives([](double x) { return std::sqrt(x) * std::sqrt(x); }, 0.0, 1, 0);
  expect_derivatives([](double x) { return -2 * std::sqrt(x) * std::sqrt(x) / 4; }, 0.0, -0.5, 0);
  expect_derivatives([](double x) { return std::pow(std::cbrt(x), 3); }, 0.0, 1, 0);
  expect_derivatives([](double x) { return std::fabs(x) * std::fabs(x); }, 0.0, 0, 2);
  expect_derivatives([](double x) { return std::pow(std::abs(x), 3); }, 0.0, 0, 0);
#ifndef DDX_THROUGH_MEMORY  // There, the first derivative is 0 and the second one NaN.
  expect_derivatives([](double x) { return std::pow(x, 0.5) * std::pow(x, 0.5); }, 0.0, 1, 0);
  expect_derivatives([](double x) { return std::acos(x) * std::acos(x); }, 1.0, -2, 2.0 / 3);
  expect_derivatives([](double x) { return std::pow(std::acosh(x), 2); }, 1.0, 2, -2.0 / 3);
#endif
}

TEST(SingularPoints, SquaresOfNormsAreSmooth) {
  const auto by_root = [](const Vector& p) {
    const double r = std::sqrt(p[0] * p[0] + p[1] * p[1]);
    return 0.5 * p[2] * r * r;  // p2 (p0^2 + p1^2) / 2
  };
  const auto by_norm = [](const Vector& p) {
    return 0.5 * p[2] * std::pow(std::hypot(p[0], p[1]), 2);
  };
  const Vector at{0, 0, 3};
  EXPECT_EQ(ddx::gradient(by_root, at), (Vector{0, 0, 0}));
  EXPECT_EQ(ddx::gradient(by_norm, at), (Vector{0, 0, 0}));
  const double expected[] = {3, 3, 0};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(ddx::hessian(by_root, at)(i, k), i == k ? expected[i] : 0) << i << ", " << k;
      EXPECT_EQ(ddx::hessian(by_norm, at)(i, k), i == k ? expected[i] : 0) << i << ", " << k;
    }
  }
}

TEST(SingularPoints, SmallFunctionsShowTheirPowers) {
  expect_derivatives([](double x) { return square(std::sqrt(x)); }, 0.0, 1, 0);
  expect_derivatives([](double x) { return square(std::fabs(x)); }, 0.0, 0, 2);
  const auto lengths = [](double x) {
    const Arrow arrow{x, 2 * x};
    const double length = arrow.length();
    return length * length + square(length);  // 10 x^2
  };
  expect_derivatives(lengths, 0.0, 0, 20);
  expect_derivatives(lengths, 0.5, 10, 20);
}

TEST(SingularPoints, SecondDerivativesAreNaNWhereTheFirstAreInfinite) {
  const double nan = std::nan("");
  expect_derivatives([](double x) { return std::sqrt(x); }, 0.0, 0, nan);
  expect_derivatives([](double x) { return std::cbrt(x); }, 0.0, 0, nan);
  expect_derivatives([](double x) { return std::asin(x); }, 1.0, 0, nan);
  expect_derivatives([](double x) { return std::acos(x); }, -1.0, 0, nan);
  expect_derivatives([](double x) { return std::acosh(x); }, 1.0, 0, nan);
  expect_derivatives([](double x) { return std::pow(x, 0.5); }, 0.0, 0, nan);
  expect_derivatives([](double x) { return std::sqrt(x * x); }, 0.0, 0, nan);
  expect_derivatives([](double x) { return std::hypot(x, 2 * x); }, 0.0, 0, nan);
  expect_derivatives([](double x) { return std::exp(std::sqrt(x * x)); }, 0.0, 0, nan);
#ifdef DDX_THROUGH_MEMORY
  const double limit = 2;
#else
  const double limit = nan;  // A function in between hides the power.
#endif
  expect_derivatives([](double x) { return square_in_steps(std::sqrt(x * x)); }, 0.0, 0, limit);
}

TEST(SingularPoints, UnusedRootsSpreadNothing) {
  expect_derivatives([](double x) { return std::max(std::sqrt(x * x), 1.0) * x * x; }, 0.0, 0, 2);
  expect_derivatives([](double x) { return std::fmax(std::sqrt(x * x), 1.0) * x * x; }, 0.0, 0, 2);
  expect_derivatives([](double x) { return std::clamp(std::sqrt(x), 1.0, 2.0) * x * x; }, 0.0, 0,
                     2);
  expect_derivatives(
      [](double x) {
        const double r = std::sqrt(x * x);
        return x > 1 ? r : x * x;
      },
      0.0, 0, 2);
}

TEST(SingularPoints, BothOrdersOfSecondDerivativesAgree) {
  const auto f = [](const Vector& p) { return std::sin(std::hypot(p[0], p[1])); };
  const auto g = [](const Vector& p) {
    return std::exp(-std::hypot(p[0], p[1]) * std::hypot(p[0], p[1]));
  };
  const Vector at{0, 0};
  const Vector along{1, 2};
  for (const double e : ddx::hvp(f, at, along)) {
    EXPECT_TRUE(std::isnan(e));
  }
  EXPECT_EQ(ddx::hvp(g, at, along), (Vector{-2, -4}));  // The Hessian is -2 times the identity.
  const auto tangent = [&](const Vector& p) { return ddx::gradient(g, p); };
  EXPECT_EQ(ddx::jvp(tangent, ddx::along(along), at).tangent, (Vector{-2, -4}));
}
