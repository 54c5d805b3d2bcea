#include "ddx/distributions/beta.h"

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
namespace beta_test {

TEST(Beta, AgreesWithPyTorch) {
  const Beta<double> p(Tensor<double>{0.5, 1.5, 3.0}, Tensor<double>{2.0, 0.25, 1.25});
  const Beta<double> q(Tensor<double>{1.0, 2.5, 0.75}, Tensor<double>{0.5, 1.5, 4.0});
  ddx::testing::expect_recorded_distribution("beta", p, q, Tensor<double>{0.5, 0.25, 0.875});
  ddx::testing::expect_recorded_moments("beta", p);
}

TEST(Beta, SamplesHaveTheirDistribution) {
  const Beta<double> one(Tensor<double>(2.0), Tensor<double>(1.0));
  ddx::testing::expect_distribution(one.sample(RandomKey(1), {20000}),
                                    [](double x) { return x * x; });
}

TEST(Beta, SamplesHaveTheShapeOfAllParameters) {
  const Beta<double> wide(full<double>({2, 1}, 1.0), full<double>({3}, 2.0));
  EXPECT_EQ(wide.sample(RandomKey(1), {4}).shape(), (Shape{4, 2, 3}));
  EXPECT_EQ(wide.sample(RandomKey(1)).shape(), (Shape{2, 3}));
  EXPECT_EQ(wide.mean().shape(), (Shape{2, 3}));
  EXPECT_EQ(wide.variance().shape(), (Shape{2, 3}));
  EXPECT_EQ(wide.entropy().shape(), (Shape{2, 3}));
}

// The mean of x^2 is m = a (a + 1) / (s (s + 1)), s = a + b; its derivatives are
// ((2 a + 1) - m (2 s + 1)) / (s (s + 1)) and -m (2 s + 1) / (s (s + 1)).
TEST(Beta, TheGradientFlowsThroughSamples) {
  const auto slope =
      gradient([](const Beta<double>& d) { return mean(square(d.sample(RandomKey(1), {20000}))); },
               Beta<double>(Tensor<double>(2.0), Tensor<double>(1.0)));
  EXPECT_NEAR(slope.a.item(), 1.0 / 8, 0.01);
  EXPECT_NEAR(slope.b.item(), -7.0 / 24, 0.02);
}

TEST(Beta, MistakesAreAnError) {
  using ddx::testing::thrown;
  EXPECT_EQ(thrown<UsageError>([] { Beta<double>(Tensor<double>(0.0), Tensor<double>(1.0)); }),
            "Beta: element 0 of a is 0, expected a number above 0 (here)");
  EXPECT_EQ(thrown<UsageError>([] { Beta<double>(Tensor<double>(1.0), Tensor<double>(0.0)); }),
            "Beta: element 0 of b is 0, expected a number above 0 (here)");
  EXPECT_EQ(
      thrown<UsageError>([] { Beta<double>(full<double>({2}, 1.0), full<double>({3}, 2.0)); }),
      "Beta: axis -1: extents 2 and 3 differ; shapes [2] and [3] (here)");
}

}  // namespace beta_test
}  // namespace ddx::distributions
