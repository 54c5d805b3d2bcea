#include "ddx/nn/optimizers/lbfgs.h"

#include "ddx/ad/differentiable.h"
#include "ddx/ad/operators.h"
#include "ddx/core/error.h"
#include "ddx/nn/losses/sigmoid_cross_entropy.h"
#include "ddx/nn/optimizers/lbfgs_report.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_optimizer.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <utility>

namespace ddx::nn {
namespace lbfgs_test {

using ddx::testing::message_of;
using Outcome = LBFGSReport::Outcome;

struct Place {
  double x = -1.2;
  double y = 1;

  DDX_DIFFERENTIABLE(Place, x, y)
};

/// Rosenbrock's valley: its minimum, 0, lies at (1, 1).
double rosenbrock(const Place& p) {
  const double a = 1 - p.x;
  const double b = p.y - p.x * p.x;
  return a * a + 100 * b * b;
}

TEST(LBFGS, FindsTheEndOfRosenbrocksValley) {
  Place place;
  const auto report =
      minimize_lbfgs(place, [](const Place& p) { return value_with_gradient(rosenbrock, p); });
  EXPECT_EQ(report.outcome, Outcome::Converged);
  EXPECT_NEAR(place.x, 1, 1e-7);
  EXPECT_NEAR(place.y, 1, 1e-7);
  EXPECT_EQ(report.value, rosenbrock(place));
  // Nocedal and Wright count 34 iterations of BFGS to the same precision, section 6.1.
  EXPECT_LT(report.iterations, 45);
  EXPECT_LT(report.evaluations, 2 * report.iterations);
}

struct Weights {
  Tensor<double> slope{0.0, 0.0};
  double offset = 0;

  DDX_DIFFERENTIABLE(Weights, slope, offset)
};

/// Logistic regression on six points, with a penalty: SciPy's minimum is in the test.
Tensor<double> logistic(const Weights& weights) {
  const Tensor<double> x{{1.0, 2.0}, {2.0, -1.0},  {-1.5, 0.5},
                         {0.5, 0.5}, {-1.0, -2.0}, {3.0, 1.0}};
  const Tensor<double> labels{1.0, 0.0, 1.0, 0.0, 0.0, 1.0};
  const auto logits = sum(x * weights.slope, {.axes = {1}}) + weights.offset;
  return sigmoid_cross_entropy(logits, labels) + sum(weights.slope * weights.slope) * 0.05;
}

TEST(LBFGS, FindsTheMinimumThatSciPyFinds) {
  Weights weights;
  const auto report =
      minimize_lbfgs(weights, [](const Weights& w) { return value_with_gradient(logistic, w); },
                     {.gradient_tolerance = 1e-8, .value_tolerance = 0});
  EXPECT_EQ(report.outcome, Outcome::Converged);
  // Recorded by tests/goldens/make_minimum.py.
  const double expected[] = {
#include "tests/goldens/minimum.inc"
  };
  // The least curvature is above 0.05, so that a slope of 1e-8 is at most 2e-7 away.
  EXPECT_NEAR(weights.slope[{0}], expected[0], 2e-7);
  EXPECT_NEAR(weights.slope[{1}], expected[1], 2e-7);
  EXPECT_NEAR(weights.offset, expected[2], 2e-7);
  EXPECT_NEAR(report.value, expected[3], 1e-14);
}

// Models with numbers and tensors on an eager device: the same minimum as a value.
TEST(LBFGS, TheMinimumIsAlsoAFunctionOfTheStart) {
  Weights weights;
  const auto evaluate = [](const Weights& w) { return value_with_gradient(logistic, w); };
  const LBFGSOptions options{.max_iterations = 7};
  const auto found = lbfgs_minimum(weights, evaluate, options);
  EXPECT_EQ(weights.offset, 0);
  const LBFGSReport report = minimize_lbfgs(weights, evaluate, options);
  EXPECT_EQ(found.model.slope.values(), weights.slope.values());
  EXPECT_EQ(found.model.offset, weights.offset);
  EXPECT_EQ(found.report().outcome, report.outcome);
  EXPECT_EQ(found.report().value, report.value);
  EXPECT_EQ(found.report().gradient_norm, report.gradient_norm);
  EXPECT_EQ(found.report().iterations, report.iterations);
  EXPECT_EQ(found.report().evaluations, report.evaluations);
}

TEST(LBFGS, AQuadraticTakesAFewSteps) {
  Place place{.x = 3, .y = -2};
  const auto quadratic = [](const Place& p) {
    return 50 * p.x * p.x + 0.5 * p.y * p.y + p.x * p.y;
  };
  const auto report =
      minimize_lbfgs(place, [&](const Place& p) { return value_with_gradient(quadratic, p); });
  EXPECT_EQ(report.outcome, Outcome::Converged);
  EXPECT_LT(report.iterations, 15);
  EXPECT_NEAR(place.x, 0, 1e-7);
  EXPECT_NEAR(place.y, 0, 1e-6);
}

TEST(LBFGS, AtAMinimumItDoesNotMove) {
  Place place{.x = 1, .y = 1};
  const auto report =
      minimize_lbfgs(place, [](const Place& p) { return value_with_gradient(rosenbrock, p); });
  EXPECT_EQ(report.outcome, Outcome::Converged);
  EXPECT_EQ(report.iterations, 0);
  EXPECT_EQ(report.evaluations, 1);
  EXPECT_EQ(place.x, 1);
}

TEST(LBFGS, StopsAtTheLimit) {
  Place place;
  const auto report =
      minimize_lbfgs(place, [](const Place& p) { return value_with_gradient(rosenbrock, p); },
                     {.max_iterations = 3});
  EXPECT_EQ(report.outcome, Outcome::IterationLimit);
  EXPECT_EQ(report.iterations, 3);
  EXPECT_LT(rosenbrock(place), rosenbrock(Place()));
}

TEST(LBFGS, AFunctionThatEndsIsFollowedToItsEnd) {
  // -log(1 - x^2) + x is NaN beyond 1: the first step goes there and comes back.
  const auto barrier = [](double x) { return x - 8 * std::log(1 - x * x); };
  double x = 0.99;
  const auto report =
      minimize_lbfgs(x, [&](double at) { return value_with_gradient(barrier, at); });
  EXPECT_EQ(report.outcome, Outcome::Converged);
  // 1 + 16 x / (1 - x^2) = 0: x^2 - 16 x - 1 = 0.
  EXPECT_NEAR(x, 8 - std::sqrt(65.0), 1e-8);
}

TEST(LBFGS, AFalseGradientEndsWithoutDescent) {
  double x = 1;
  const auto report = minimize_lbfgs(x, [](double at) { return std::pair(at * at, -2 * at); });
  EXPECT_EQ(report.outcome, Outcome::NoDescent);
  EXPECT_EQ(x, 1);
}

TEST(LBFGS, AStartThatIsNotFiniteIsAnError) {
  double x = 1;
  EXPECT_EQ(message_of<UsageError>([&] {
              (void)minimize_lbfgs(x, [](double at) {
                return std::pair(at, std::numeric_limits<double>::quiet_NaN());
              });
            }),
            "minimize_lbfgs: the value or the gradient of the model given is not finite");
  EXPECT_EQ(x, 1);
}

TEST(LBFGS, ImpossibleOptionsAreAnError) {
  const auto refusal = [](const LBFGSOptions& options) {
    return message_of<UsageError>([&] {
      double x = 1;
      (void)minimize_lbfgs(x, [](double at) { return std::pair(at * at, 2 * at); }, options);
    });
  };
  EXPECT_EQ(refusal({.max_iterations = -1}),
            "minimize_lbfgs: max_iterations is -1, at least 0 is required");
  EXPECT_EQ(refusal({.history = 0}), "minimize_lbfgs: history is 0, at least 1 is required");
  EXPECT_EQ(refusal({.gradient_tolerance = -1}),
            "minimize_lbfgs: gradient_tolerance is -1, expected a finite number of at least 0");
  EXPECT_EQ(refusal({.value_tolerance = -1}),
            "minimize_lbfgs: value_tolerance is -1, expected a finite number of at least 0");
}

}  // namespace lbfgs_test
}  // namespace ddx::nn
