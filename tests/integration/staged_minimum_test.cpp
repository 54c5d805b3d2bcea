// L-BFGS as a part of compiled functions and of graphs, on every device that records.

#include "ddx/ad.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/nn.h"
#include "ddx/tensor.h"
#include "ddx/tensor/compile.h"

#include "tests/support/thrown.h"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace ddx {
namespace staged_minimum_test {

using namespace ddx::nn;
using testing::thrown;
using Outcome = LBFGSReport::Outcome;

/// Rosenbrock's valley in n dimensions: its minimum, 0, lies where all numbers are 1.
Tensor<double> rosenbrock(const Tensor<double>& x) {
  const std::int64_t n = x.shape()[0];
  const auto before = slice(x, {.stop = {n - 1}});
  const auto behind = slice(x, {.start = {1}});
  return sum(100.0 * square(behind - square(before)) + square(1.0 - before));
}

/// A logistic regression whose parameters are all tensors.
struct LogisticWeights {
  Tensor<double> slope{0.0, 0.0};
  Tensor<double> offset = Tensor<double>(0.0);

  DDX_DIFFERENTIABLE(LogisticWeights, slope, offset)
};

/// Its inputs; the labels are 1, 0, 1, 0, 0, 1.
Tensor<double> logistic_inputs() {
  return Tensor<double>{{1.0, 2.0}, {2.0, -1.0}, {-1.5, 0.5}, {0.5, 0.5}, {-1.0, -2.0}, {3.0, 1.0}};
}

/// Its loss with a penalty: the problem of tests/goldens/make_minimum.py.
Tensor<double> logistic_loss(const LogisticWeights& weights, const Tensor<double>& x) {
  const auto labels = Tensor<double>{1.0, 0.0, 1.0, 0.0, 0.0, 1.0}.to(x.device());
  const auto logits = sum(x * weights.slope, {.axes = {1}}) + weights.offset;
  return sigmoid_cross_entropy(logits, labels) + sum(weights.slope * weights.slope) * 0.05;
}

/// The minimum of Rosenbrock's function from a start.
LBFGSMinimum<Tensor<double>> minimum_of_rosenbrock(const Tensor<double>& start,
                                                   const LBFGSOptions& options) {
  return lbfgs_minimum(
      start, [](const Tensor<double>& x) { return value_with_gradient(rosenbrock, x); }, options);
}

std::vector<Tensor<double>> starts() {
  return {Tensor<double>{-1.2, 1.0}, Tensor<double>{3.0, -4.0}, Tensor<double>{1.0, 1.0},
          Tensor<double>{0.0, 10.0}, random_normal<double>(RandomKey(1), {2})};
}

/// Expects the way that minimize_lbfgs takes on the `cpu` device.
void expect_same_way(const LBFGSMinimum<Tensor<double>>& found, const Tensor<double>& start,
                     const LBFGSOptions& options) {
  Tensor<double> plain = start;
  const LBFGSReport expected = minimize_lbfgs(
      plain, [](const Tensor<double>& x) { return value_with_gradient(rosenbrock, x); }, options);
  const LBFGSReport report = found.report();
  EXPECT_EQ(report.outcome, expected.outcome);
  EXPECT_EQ(report.iterations, expected.iterations);
  EXPECT_EQ(report.evaluations, expected.evaluations);
  EXPECT_NEAR(report.value, expected.value, 1e-9 * (1 + expected.value));
  for (std::int64_t i = 0; i < start.shape()[0]; ++i) {
    EXPECT_NEAR((found.model[{i}]), (plain[{i}]), 1e-7 * (1 + std::fabs(plain[{i}])));
  }
}

TEST(StagedMinimum, IsRecordedOnceAndTakesTheWayOfTheLoop) {
  int recordings = 0;
  const auto minimum = compile([&](const Tensor<double>& start) {
    ++recordings;
    return minimum_of_rosenbrock(start, {});
  });
  for (const Tensor<double>& start : starts()) {
    const auto found = minimum(start);
    expect_same_way(found, start, {});
    EXPECT_NEAR((found.model[{0}]), 1, 1e-6);
    EXPECT_NEAR((found.model[{1}]), 1, 1e-6);
  }
  EXPECT_EQ(recordings, 1);
}

// The history is full, so that old steps are forgotten; and it holds a single step.
TEST(StagedMinimum, ForgetsTheOldestSteps) {
  const Tensor<double> start = random_normal<double>(RandomKey(4), {8});
  for (const std::int64_t history : {1, 3}) {
    const LBFGSOptions options{.max_iterations = 25, .history = history};
    const auto minimum =
        compile([&](const Tensor<double>& x) { return minimum_of_rosenbrock(x, options); });
    expect_same_way(minimum(start), start, options);
    EXPECT_EQ(minimum(start).report().outcome, Outcome::IterationLimit);
  }
}

TEST(StagedMinimum, IsAGraphOnEveryDeviceThatRecords) {
  for (const Device device : {Device::lazy(), Device::pjrt("cpu")}) {
    const Tensor<double> start({2}, {-1.2, 1}, device);
    const auto found = minimum_of_rosenbrock(start, {});
    EXPECT_EQ(found.model.device(), device);
    expect_same_way(found, Tensor<double>{-1.2, 1.0}, {});
  }
  expect_same_way(minimum_of_rosenbrock(Tensor<double>{-1.2, 1.0}, {}), Tensor<double>{-1.2, 1.0},
                  {});
}

/// 1/2 x A x - b x, with A = Q diag(1, 2, ... n) Q for a reflection Q: its minimum solves A x = b.
struct Quadratic {
  explicit Quadratic(std::int64_t n) {
    const auto v = random_normal<double>(RandomKey(3), {n, 1});
    const auto q = eye<double>(n) - matmul(v, transpose(v)) * (2 / sum(square(v)).item());
    std::vector<double> curvatures;
    for (std::int64_t i = 1; i <= n; ++i) {
      curvatures.push_back(static_cast<double>(i));
    }
    a = matmul(q * Tensor<double>({1, n}, curvatures), q);
    solution = random_normal<double>(RandomKey(4), {n, 1});
    b = matmul(a, solution);
  }

  Tensor<double> a;
  Tensor<double> b;
  Tensor<double> solution;
};

// What the function captures and takes are parameters.
TEST(StagedMinimum, SolvesLinearSystems) {
  constexpr std::int64_t n = 12;
  const Quadratic problem(n);
  int recordings = 0;
  const auto solve = compile([&](const Tensor<double>& b) {
    ++recordings;
    return lbfgs_minimum(zeros<double>({n, 1}),
                         [&](const Tensor<double>& at) {
                           return value_with_gradient(
                               [&](const Tensor<double>& x) {
                                 return 0.5 * sum(x * matmul(problem.a, x)) - sum(b * x);
                               },
                               at);
                         },
                         {.gradient_tolerance = 1e-6, .value_tolerance = 0});
  });
  for (const double factor : {1.0, -2.0, 0.25}) {
    const auto found = solve(problem.b * factor);
    EXPECT_EQ(found.report().outcome, Outcome::Converged);
    EXPECT_LT(found.report().iterations, 60);
    for (std::int64_t i = 0; i < n; ++i) {  // The least curvature is 1.
      EXPECT_NEAR((found.model[{i, 0}]), factor * (problem.solution[{i, 0}]), 1.1e-6);
    }
  }
  EXPECT_EQ(recordings, 1);
}

TEST(StagedMinimum, FindsTheModelThatSciPyFinds) {
  const auto fit = compile([](const LogisticWeights& start, const Tensor<double>& x) {
    return lbfgs_minimum(start,
                         [&](const LogisticWeights& at) {
                           return value_with_gradient(
                               [&](const LogisticWeights& w) { return logistic_loss(w, x); }, at);
                         },
                         {.gradient_tolerance = 1e-8, .value_tolerance = 0});
  });
  const auto found = fit(LogisticWeights(), logistic_inputs());
  EXPECT_EQ(found.report().outcome, Outcome::Converged);
  // Recorded by tests/goldens/make_minimum.py.
  const double expected[] = {
#include "tests/goldens/minimum.inc"
  };
  EXPECT_NEAR(found.model.slope[{0}], expected[0], 2e-7);
  EXPECT_NEAR(found.model.slope[{1}], expected[1], 2e-7);
  EXPECT_NEAR(found.model.offset.item(), expected[2], 2e-7);
  EXPECT_NEAR(found.report().value, expected[3], 1e-14);
}

// A layer, whose best weights are known.
TEST(StagedMinimum, FitsALayer) {
  using Model = Dense<float>;
  const auto x = random_normal<float>(RandomKey(5), {64, 3});
  const Tensor<float> weight({3, 1}, {2, -1, 0.5F});
  const auto y = matmul(x, weight) + 3.0F;
  const auto fit = compile([](const Model& start, const Tensor<float>& a, const Tensor<float>& b) {
    return lbfgs_minimum(start, [&](const Model& at) {
      return value_with_gradient([&](const Model& m) { return mean(square(m(a) - b)); }, at);
    });
  });
  const auto found = fit(Model({.in = 3, .out = 1, .key = RandomKey(1)}), x, y);
  for (std::int64_t i = 0; i < 3; ++i) {
    EXPECT_NEAR((found.model.weight[{i, 0}]), (weight[{i, 0}]), 1e-4F);
  }
  EXPECT_NEAR(found.model.bias[{0}], 3, 1e-4F);
}

/// The minimum of a function given with its gradient, compiled.
template <class Evaluate>
LBFGSMinimum<Tensor<double>> compiled_minimum(const Evaluate& evaluate, double start) {
  return compile([&](const Tensor<double>& x) { return lbfgs_minimum(x, evaluate); })(
      Tensor<double>(start));
}

TEST(StagedMinimum, SaysHowItEnded) {
  const auto limited = compile([](const Tensor<double>& x) {
    return minimum_of_rosenbrock(x, {.max_iterations = 3});
  })(Tensor<double>{-1.2, 1.0});
  EXPECT_EQ(limited.report().outcome, Outcome::IterationLimit);
  EXPECT_EQ(limited.report().iterations, 3);
  // A false gradient.
  const auto rising =
      compiled_minimum([](const Tensor<double>& x) { return std::pair(x * x, -2.0 * x); }, 1);
  EXPECT_EQ(rising.report().outcome, Outcome::NoDescent);
  EXPECT_EQ(rising.model.item(), 1);
  // A kink that is never flat.
  const auto kink = compiled_minimum(
      [](const Tensor<double>& x) { return std::pair(abs(x) + 1e6, sign(x)); }, 0.3);
  EXPECT_NE(kink.report().outcome, Outcome::Converged);
  EXPECT_LT(std::fabs(kink.model.item()), 0.3);
}

TEST(StagedMinimum, TheValueHasOneElement) {
  const auto evaluate = [](const Tensor<double>& x) {
    return std::pair(square(x - 3.0), 2.0 * (x - 3.0));
  };
  const auto minimum = compile([&](const Tensor<double>& x) { return lbfgs_minimum(x, evaluate); });
  EXPECT_NEAR((minimum(Tensor<double>{5.0}).model[{0}]), 3, 1e-7);
  EXPECT_EQ(
      thrown<UsageError>([&] { (void)minimum(Tensor<double>{5.0, 1.0}); }),
      "lbfgs_minimum: the function's value has shape [2], a tensor of one element is required");
}

// -log(1 - x^2) + x is NaN beyond 1: the first step goes there and comes back.
TEST(StagedMinimum, AFunctionThatEndsIsFollowedToItsEnd) {
  const auto barrier = [](const Tensor<double>& x) { return x - 8.0 * log(1.0 - x * x); };
  const auto found = compiled_minimum(
      [&](const Tensor<double>& at) { return value_with_gradient(barrier, at); }, 0.99);
  EXPECT_EQ(found.report().outcome, Outcome::Converged);
  EXPECT_NEAR(found.model.item(), 8 - std::sqrt(65.0), 1e-8);
}

TEST(StagedMinimum, AStartThatIsNotFiniteIsReported) {
  const auto evaluate = [](const Tensor<double>& x) {
    return std::pair(x * std::numeric_limits<double>::infinity(), x);
  };
  const auto found = compiled_minimum(evaluate, 2);
  EXPECT_EQ(found.report().outcome, Outcome::NotFinite);
  EXPECT_EQ(found.report().iterations, 0);
  EXPECT_EQ(found.model.item(), 2);
  EXPECT_EQ(thrown<UsageError>([&] { (void)lbfgs_minimum(Tensor<double>(2.0), evaluate); }),
            "lbfgs_minimum: the value or the gradient of the model given is not finite");
}

/// One of its parameters is no tensor.
struct Mixed {
  Tensor<double> x{1.0, 2.0};
  double y = 3;

  DDX_DIFFERENTIABLE(Mixed, x, y)
};

TEST(StagedMinimum, ANumberOfCppIsRefusedInAGraph) {
  const auto evaluate = [](const Mixed& at) {
    return value_with_gradient([](const Mixed& m) { return sum(square(m.x)) + m.y * m.y; }, at);
  };
  EXPECT_EQ(
      thrown<UsageError>([&] {
        (void)compile([&](const Mixed& start) { return lbfgs_minimum(start, evaluate); })(Mixed());
      }),
      "lbfgs_minimum: y is a C++ number, which a graph cannot change: a tensor of rank 0 is "
      "required in a function that is staged");
  const auto found = lbfgs_minimum(Mixed(), evaluate);
  EXPECT_EQ(found.report().outcome, Outcome::Converged);
  EXPECT_NEAR(found.model.y, 0, 1e-7);
}

TEST(StagedMinimum, ImpossibleOptionsAreAnError) {
  EXPECT_EQ(thrown<UsageError>(
                [] { (void)minimum_of_rosenbrock(Tensor<double>{-1.2, 1.0}, {.history = 0}); }),
            "lbfgs_minimum: history is 0, at least 1 is required");
}

}  // namespace staged_minimum_test
}  // namespace ddx
