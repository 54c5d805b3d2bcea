// Derivatives of higher order, by the operators that users call; values derived by hand.

#include "ddx/ad.h"
#include "ddx/core/error.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <gtest/gtest.h>
#include <numeric>
#include <tuple>
#include <type_traits>
#include <utility>
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

/// An object with numbers of its own that a lambda captures by reference.
struct Weighted {
  Vector weights;
  double operator()(const Vector& a, const Vector& b) const {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      sum += weights[i] * a[i] * a[i] * b[i];
    }
    return sum;
  }
};

TEST(Hvp, FollowsWhatIsCapturedByReference) {
  Weighted program{{2.0, -3.0}};
  const Vector x{1.5, -0.5};
  const Vector v{-1.0, 4.0};
  const Vector product = ddx::hvp([&program](const Vector& a) { return program(a, a); }, x, v);
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_NEAR(product[i], 6 * program.weights[i] * x[i] * v[i], 1e-12) << i;
  }
}

TEST(Hvp, OfSeveralArgumentsInATuple) {
  using Both = std::tuple<Vector, Vector>;
  Weighted program{{2.0, -3.0}};
  const Vector a{1.5, -0.5};
  const Vector b{0.25, 2.0};
  const Vector u{-1.0, 4.0};
  const Vector v{3.0, 0.5};
  const auto [by_a, by_b] = ddx::hvp(
      [&program](const Both& both) { return program(std::get<0>(both), std::get<1>(both)); },
      Both(a, b), Both(u, v));
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double weight = program.weights[i];
    EXPECT_NEAR(by_a[i], 2 * weight * (u[i] * b[i] + a[i] * v[i]), 1e-12) << i;
    EXPECT_NEAR(by_b[i], 2 * weight * a[i] * u[i], 1e-12) << i;
  }
}

struct Curve {
  Vector points;
  double bend = 0;
  std::array<Vector, 2> ends;
  DDX_DIFFERENTIABLE(Curve, points, bend, ends)
};

double energy(const Curve& c) {
  return c.bend * c.points[0] * c.points[1] * c.ends[1][0];
}

TEST(Pullback, OfADerivativeAlongAnObjectWithVectors) {
  const Curve at{{2.0, -3.0}, 0.5, {Vector{}, Vector{4.0}}};
  const auto slope = [](const ddx::TangentOf<Curve>& along, const Curve& c) {
    return ddx::jvp(energy, ddx::wrt<0>, ddx::along(along), c).tangent;
  };
  // Along bend the slope is p0 p1 e; what the direction leaves out is zero, and has no gradient.
  ddx::TangentOf<Curve> along;
  along.points = {0.0, 0.0};
  along.bend = 2.0;
  const auto [by_along, by_curve] = ddx::gradient(slope, along, at);
  EXPECT_EQ(by_along.points, (Vector{-3.0 * 0.5 * 4.0, 2.0 * 0.5 * 4.0}));
  EXPECT_EQ(by_along.bend, 2.0 * -3.0 * 4.0);
  EXPECT_EQ(by_along.ends[1], Vector{});
  EXPECT_EQ(by_curve.points, (Vector{2.0 * -3.0 * 4.0, 2.0 * 2.0 * 4.0}));
  EXPECT_EQ(by_curve.bend, 0.0);
  EXPECT_EQ(by_curve.ends[1], Vector{2.0 * 2.0 * -3.0});
}

// What only decides is text in the derivative, and read again for the second one.
double chosen_by_a_sum(const Vector& x) {
  const double decides = std::transform_reduce(x.begin(), x.end(), x[0], std::plus<>(),
                                               [](const double& e) { return std::tanh(e * e); });
  return decides > 0.5 ? x[0] * x[0] * x[1] : x[1];
}

TEST(Hvp, OfABranchThatAnAlgorithmDecides) {
  EXPECT_EQ(ddx::hvp(chosen_by_a_sum, Vector{0.5, 0.75}, Vector{1.0, 2.0}), (Vector{3.5, 1.0}));
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
  EXPECT_EQ(Vector(j.numbers.begin(), j.numbers.end()), (Vector{3, 2, 0, 25, 0, 20}));
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

/// Each element takes part in all later ones; results as many as are asked for.
Vector running(const Vector& x, int results, double rate) {
  Vector sums;
  double state = rate;
  for (int k = 0; k < results; ++k) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      state = state * x[i] + std::sin(rate * static_cast<double>(k + 1) * x[i]);
    }
    sums.push_back(state);
  }
  return sums;
}

/// Central differences of component `row` by number `column` of (x, rate).
double slope_of_running(Vector x, int results, double rate, std::size_t row, std::size_t column) {
  const double step = 1e-6;
  const auto moved = [&](double by) {
    Vector at = x;
    (column < x.size() ? at[column] : rate) += by;
    const double value = running(at, results, rate)[row];
    rate = column < x.size() ? rate : rate - by;
    return value;
  };
  return (moved(step) - moved(-step)) / (2 * step);
}

TEST(Jacobian, BySelectedArgumentsWhoseSizesAreKnownAtRunTime) {
  // Fewer rows than columns; more; as many; none; no columns but one.
  for (const auto& [count, results] : {std::pair{4, 2}, {2, 5}, {2, 3}, {3, 0}, {0, 2}}) {
    Vector x(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = 0.7 - 0.4 * static_cast<double>(i);
    }
    const auto [value, j] = ddx::value_with_jacobian(running, ddx::wrt<0, 2>, x, results, 0.8);
    EXPECT_EQ(value, running(x, results, 0.8));
    ASSERT_EQ(j.rows, value.size());
    ASSERT_EQ(j.columns, x.size() + 1);
    for (std::size_t i = 0; i < j.rows; ++i) {
      for (std::size_t k = 0; k < j.columns; ++k) {
        EXPECT_NEAR(j(i, k), slope_of_running(x, results, 0.8, i, k), 1e-8) << i << " " << k;
      }
    }
  }
}

struct Pose {
  double angle = 0;
  std::array<float, 2> centre{};
  int frame = 0;
  DDX_DIFFERENTIABLE(Pose, angle, centre)
  DDX_NO_DERIVATIVE(frame)
};

TEST(Jacobian, OfStructsAndNumbersHasTheSizeThatTheirTypesSay) {
  const auto turned = [](const Pose& pose, double x) {
    return std::pair{pose.centre[0] + std::cos(pose.angle) * x,
                     pose.centre[1] * std::sin(pose.angle) * x};
  };
  const Pose pose{0.3, {1.5F, -2.0F}, 7};
  const auto j = ddx::jacobian(turned, pose, 2.0);
  static_assert(std::is_same_v<decltype(j), const ddx::DerivativeMatrix<double, 2, 4>>);
  const double expected[] = {
      -std::sin(0.3) * 2, 1, 0, std::cos(0.3), -4 * std::cos(0.3), 0, 2 * std::sin(0.3),
      -2 * std::sin(0.3)};
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_NEAR(j.numbers[i], expected[i], 1e-7) << i;
  }
}

TEST(Jacobian, RunsTheFunctionOnceForAllRows) {
  int runs = 0;
  const auto counted = [&runs](const Vector& x) {
    ++runs;
    return std::array{x[0] * x[1], x[1] * x[2], x[0]};
  };
  const auto j = ddx::jacobian(counted, Vector{2.0, 3.0, 5.0});
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(j.numbers, (Vector{3, 2, 0, 0, 5, 3, 1, 0, 0}));
  const auto rows = ddx::jacobian_rows(counted, Vector{2.0, 3.0, 5.0});
  EXPECT_EQ(runs, 2);
  EXPECT_EQ(rows, (std::vector<Vector>{{3, 2, 0}, {0, 5, 3}, {1, 0, 0}}));
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
