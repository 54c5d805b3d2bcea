// Derivatives of higher order, by the operators that users call; values derived by hand.

#include "ddx/ad.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <gtest/gtest.h>
#include <vector>

namespace {

using Vector = std::vector<double>;

double rosenbrock(const Vector& x) {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    const double a = x[i + 1] - x[i] * x[i];
    const double b = 1 - x[i];
    sum += 100 * a * a + b * b;
  }
  return sum;
}

/// The Hessian of rosenbrock, by hand.
Vector hessian_row(const Vector& x, std::size_t i) {
  Vector row(x.size());
  if (i + 1 < x.size()) {
    row[i] += 1200 * x[i] * x[i] - 400 * x[i + 1] + 2;
    row[i + 1] -= 400 * x[i];
  }
  if (i > 0) {
    row[i] += 200;
    row[i - 1] -= 400 * x[i - 1];
  }
  return row;
}

TEST(Hvp, IsTheHessianTimesTheDirection) {
  const Vector x{-1.2, 0.7, 1.5, 0.0};
  const Vector v{0.5, -2.0, 0.0, 3.0};
  const Vector product = ddx::hvp(rosenbrock, x, v);
  ASSERT_EQ(product.size(), x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Vector row = hessian_row(x, i);
    double expected = 0;
    for (std::size_t j = 0; j < x.size(); ++j) {
      expected += row[j] * v[j];
    }
    EXPECT_NEAR(product[i], expected, 1e-10) << i;
  }
}

TEST(Hvp, TakesAnEmptyDirectionForZerosAndNoOtherLength) {
  const Vector x{-1.2, 0.7};
  EXPECT_EQ(ddx::hvp(rosenbrock, x, {}), Vector(2));
  EXPECT_THROW((void)ddx::hvp(rosenbrock, x, {1.0}), ddx::UsageError);
}

TEST(Hessian, ListsTheNumbers) {
  const Vector x{-1.2, 0.7, 1.5};
  const auto hessian = ddx::hessian(rosenbrock, x);
  ASSERT_EQ(hessian.rows, 3U);
  ASSERT_EQ(hessian.columns, 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_NEAR(hessian(i, j), hessian_row(x, i)[j], 1e-10) << i << " " << j;
    }
  }
}

// A tangent that is zero at the point still moves with the arguments.
double product_at_zero(const Vector& x) {
  return std::sin(x[0] * x[1]) + std::sqrt(1 + x[0] * x[1]);
}

TEST(Hessian, SeesMovingTangentsThatAreZero) {
  const auto hessian = ddx::hessian(product_at_zero, Vector{0, 0});
  EXPECT_NEAR(hessian(0, 0), 0, 1e-15);
  EXPECT_NEAR(hessian(0, 1), 1.5, 1e-15);
  EXPECT_NEAR(hessian(1, 0), 1.5, 1e-15);
}

TEST(Hessian, OfAPowerByItsExponentAtZero) {
  const auto power = [](const std::array<double, 2>& x) { return std::pow(x[0], x[1]); };
  const auto hessian = ddx::hessian(power, std::array{2.0, 0.0});
  EXPECT_NEAR(hessian(0, 0), 0, 1e-15);
  EXPECT_NEAR(hessian(0, 1), 0.5, 1e-15);
  EXPECT_NEAR(hessian(1, 0), 0.5, 1e-15);
  EXPECT_NEAR(hessian(1, 1), std::log(2.0) * std::log(2.0), 1e-15);
}

std::array<double, 2> wide(const std::array<double, 3>& x) {
  return {x[0] * x[1], x[2] * x[2] * x[0]};
}

Vector tall(const std::array<double, 2>& x) {
  return {x[0] * x[0], x[0] * x[1], std::exp(x[1])};
}

TEST(Jacobian, ByRowsAndByColumnsIsTheSame) {
  const auto j = ddx::jacobian(wide, std::array{2.0, 3.0, 5.0});
  EXPECT_EQ(j.rows, 2U);
  EXPECT_EQ(j.columns, 3U);
  EXPECT_EQ(j.numbers, (Vector{3, 2, 0, 25, 0, 20}));
  const auto k = ddx::jacobian(tall, std::array{2.0, 3.0});
  EXPECT_EQ(k.rows, 3U);
  EXPECT_EQ(k.columns, 2U);
  EXPECT_EQ(k.numbers, (Vector{4, 0, 3, 2, 0, std::exp(3.0)}));
  const auto rows = ddx::jacobian_rows(tall, std::array{2.0, 3.0});
  const auto columns = ddx::jacobian_columns(tall, std::array{2.0, 3.0});
  ASSERT_EQ(rows.size(), 3U);
  ASSERT_EQ(columns.size(), 2U);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t l = 0; l < 2; ++l) {
      EXPECT_EQ(rows[i][l], k(i, l));
      EXPECT_EQ(columns[l][i], k(i, l));
    }
  }
}

TEST(ThirdOrder, ForwardOverForwardOverForward) {
  const auto cubic = [](double x) { return std::sin(2 * x) + x * x * x * x; };
  const auto first = [&](double x) { return ddx::derivative(cubic, x); };
  const auto second = [&](double x) { return ddx::derivative(first, x); };
  EXPECT_NEAR(ddx::derivative(second, 0.7), -8 * std::cos(1.4) + 24 * 0.7, 1e-13);
}

TEST(ThirdOrder, ReverseOverForwardOverForward) {
  const Vector v{0.5, -2.0};
  const auto curvature = [&](const Vector& x) {
    const auto slope = [&](const Vector& at) {
      return ddx::jvp(rosenbrock, ddx::along(v), at).tangent;
    };
    return ddx::jvp(slope, ddx::along(v), x).tangent;
  };
  const Vector third = ddx::gradient(curvature, Vector{-1.2, 0.7});
  // f = 100 (y - x^2)^2 + (1 - x)^2; f_xxx = 2400 x, f_xxy = -400, f_xyy = f_yyy = 0.
  EXPECT_NEAR(third[0], 2400 * -1.2 * 0.25 + 2 * -400 * 0.5 * -2.0, 1e-9);
  EXPECT_NEAR(third[1], -400 * 0.25, 1e-9);
}

// The derivative of an inner function, inside what is differentiated; the captured weight counts.
double newton_step(double x, double weight) {
  const auto residual = [&](double y) { return y * y * weight - 2; };
  return x - residual(x) / ddx::derivative(residual, x);
}

TEST(DerivativeInsideDifferentiatedCode, FollowsCaptures) {
  const auto [dx, dw] = ddx::gradient(newton_step, 3.0, 0.5);
  // x - (w x^2 - 2) / (2 w x) = x / 2 + 1 / (w x)
  EXPECT_NEAR(dx, 0.5 - 1 / (0.5 * 9), 1e-15);
  EXPECT_NEAR(dw, -1 / (0.25 * 3), 1e-15);
}

}  // namespace
