#include "ddx/distributions/gamma.h"

#include "ddx/ad/operators.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_distribution.h"
#include "tests/support/recorded_numbers.h"
#include "tests/support/thrown.h"

#include <cmath>
#include <gtest/gtest.h>

namespace ddx::distributions {
namespace gamma_test {

TEST(Gamma, AgreesWithPyTorch) {
  const Gamma<double> p(Tensor<double>{0.5, 1.5, 3.0}, Tensor<double>{2.0, 0.25, 1.25});
  const Gamma<double> q(Tensor<double>{1.0, 2.5, 0.75}, Tensor<double>{0.5, 1.5, 4.0});
  ddx::testing::expect_recorded_distribution("gamma", p, q, Tensor<double>{0.5, 1.75, 2.0});
  ddx::testing::expect_recorded_moments("gamma", p);
}

// 1 - e^-y (1 + y + y^2 / 2) of y = 2 x.
TEST(Gamma, SamplesHaveTheirDistribution) {
  const Gamma<double> one(Tensor<double>(3.0), Tensor<double>(2.0));
  ddx::testing::expect_distribution(one.sample(RandomKey(1), {20000}), [](double x) {
    return 1 - std::exp(-2 * x) * (1 + 2 * x + 2 * x * x);
  });
}

TEST(Gamma, SamplesHaveTheShapeOfAllParameters) {
  const Gamma<double> wide(full<double>({2, 1}, 1.0), full<double>({3}, 2.0));
  EXPECT_EQ(wide.sample(RandomKey(1), {4}).shape(), (Shape{4, 2, 3}));
  EXPECT_EQ(wide.sample(RandomKey(1)).shape(), (Shape{2, 3}));
  EXPECT_EQ(wide.mean().shape(), (Shape{2, 3}));
  EXPECT_EQ(wide.variance().shape(), (Shape{2, 3}));
  EXPECT_EQ(wide.entropy().shape(), (Shape{2, 3}));
}

// The mean of x^2 is a (a + 1) / r^2.
TEST(Gamma, TheGradientFlowsThroughSamples) {
  const auto slope =
      gradient([](const Gamma<double>& d) { return mean(square(d.sample(RandomKey(1), {20000}))); },
               Gamma<double>(Tensor<double>(3.0), Tensor<double>(2.0)));
  EXPECT_NEAR(slope.concentration.item(), 1.75, 0.1);
  EXPECT_NEAR(slope.rate.item(), -3, 0.15);
}

TEST(Gamma, MistakesAreAnError) {
  using ddx::testing::thrown;
  EXPECT_EQ(thrown<UsageError>([] { Gamma<double>(Tensor<double>(0.0), Tensor<double>(1.0)); }),
            "Gamma: element 0 of concentration is 0, expected a number above 0 (here)");
  EXPECT_EQ(thrown<UsageError>([] { Gamma<double>(Tensor<double>(1.0), Tensor<double>(0.0)); }),
            "Gamma: element 0 of rate is 0, expected a number above 0 (here)");
  EXPECT_EQ(
      thrown<UsageError>([] { Gamma<double>(full<double>({2}, 1.0), full<double>({3}, 2.0)); }),
      "Gamma: axis -1: extents 2 and 3 differ; shapes [2] and [3] (here)");
}

}  // namespace gamma_test
}  // namespace ddx::distributions
