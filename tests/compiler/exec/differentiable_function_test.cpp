// Functions that carry their derivatives: stored, chosen at run time, composed.

#include "gradient_check.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <gtest/gtest.h>
#include <utility>
#include <vector>

namespace {

using Function = ddx::differentiable<double(double)>;

const std::vector<Function>& table() {
  static const double factor = 1.5;
  static const std::vector<Function> functions = {
      [](double x) { return x * x; },
      [scale = factor](double x) { return std::sin(scale * x); },
      [](double) { return 2.5; },
  };
  return functions;
}

/// Which function is called is known at run time only.
double chosen(double x, int which) {
  const Function f = table()[static_cast<std::size_t>(which)];
  return f(x) * x + f(2 * x);
}

double applied_to(const Function& f, double x, int times) {
  for (int i = 0; i < times; ++i) {
    x = f(x) + 0.25 * x;
  }
  return x;
}

double passed(double x, int times) {
  return applied_to(table()[1], x, times) * x;
}

using Pair = std::array<double, 2>;
const ddx::differentiable<Pair(Pair, double)> rotate = [](const Pair& p, double angle) {
  return Pair{p[0] * std::cos(angle) - p[1] * std::sin(angle),
              p[0] * std::sin(angle) + p[1] * std::cos(angle)};
};

double several(const Pair& p, double angle) {
  const Pair q = rotate(p, angle);
  return q[0] * q[0] * q[1] + angle;
}

DDX_CHECK_GRADIENT_FIRST_ORDER(chosen, at(0.7, 0), at(-0.4, 1), at(1.3, 2))
DDX_CHECK_GRADIENT_FIRST_ORDER(passed, at(0.7, 3), at(-0.4, 1), at(1.3, 0))
DDX_CHECK_GRADIENT_FIRST_ORDER(several, at(Pair{0.7, 0.2}, 0.3), at(Pair{-0.4, 1.0}, 1.9),
                               at(Pair{1.3, 0.0}, 0.0))

TEST(DifferentiableFunction, IsAValue) {
  Function f = [](double x) { return x * x * x; };
  const Function g = f;
  f = [](double x) { return x; };
  EXPECT_EQ(g(2.0), 8.0);
  EXPECT_EQ(f(2.0), 2.0);
  const auto [value, pullback] = g.with_pullback(2.0);
  EXPECT_EQ(value, 8.0);
  EXPECT_EQ(pullback(10.0), 120.0);
}

TEST(DifferentiableFunction, Composes) {
  const auto compose = [](Function outer, Function inner) {
    return Function([outer, inner](double x) { return outer(inner(x)); });
  };
  const Function f = compose(table()[0], table()[1]);
  const double x = 0.4;
  EXPECT_NEAR(f(x), std::pow(std::sin(1.5 * x), 2), 1e-15);
  EXPECT_NEAR(ddx::gradient([&](double y) { return f(y); }, x),
              2 * std::sin(1.5 * x) * std::cos(1.5 * x) * 1.5, 1e-15);
}

}  // namespace
