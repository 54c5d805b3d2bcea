#include "ddx/distributions/normal.h"

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
namespace normal_test {

TEST(Normal, AgreesWithPyTorch) {
  const Normal<double> p(Tensor<double>{-1.0, 0.5, 2.0}, Tensor<double>{2.0, 0.25, 1.25});
  const Normal<double> q(Tensor<double>{0.25, -0.5, 1.0}, Tensor<double>{0.5, 1.5, 4.0});
  ddx::testing::expect_recorded_distribution("normal", p, q, Tensor<double>{0.5, -1.5, 2.0});
  ddx::testing::expect_recorded_moments("normal", p);
}

TEST(Normal, SamplesHaveTheirDistribution) {
  const Normal<double> one(Tensor<double>(3.0), Tensor<double>(0.5));
  ddx::testing::expect_distribution(one.sample(RandomKey(1), {20000}), [](double x) {
    return 0.5 * std::erfc(-(x - 3) / (0.5 * std::sqrt(2.0)));
  });
}

TEST(Normal, SamplesHaveTheShapeOfAllParameters) {
  const Normal<double> wide(full<double>({2, 1}, 1.0), full<double>({3}, 2.0));
  EXPECT_EQ(wide.sample(RandomKey(1), {4}).shape(), (Shape{4, 2, 3}));
  EXPECT_EQ(wide.sample(RandomKey(1)).shape(), (Shape{2, 3}));
  EXPECT_EQ(wide.mean().shape(), (Shape{2, 3}));
  EXPECT_EQ(wide.variance().shape(), (Shape{2, 3}));
  EXPECT_EQ(wide.entropy().shape(), (Shape{2, 3}));
}

// The mean of x^2 is m^2 + s^2.
TEST(Normal, TheGradientFlowsThroughSamples) {
  const auto slope = gradient(
      [](const Normal<double>& d) { return mean(square(d.sample(RandomKey(1), {20000}))); },
      Normal<double>(Tensor<double>(3.0), Tensor<double>(0.5)));
  EXPECT_NEAR(slope.location.item(), 6, 0.05);
  EXPECT_NEAR(slope.scale.item(), 1, 0.1);
}

TEST(Normal, MistakesAreAnError) {
  using ddx::testing::thrown;
  EXPECT_EQ(thrown<UsageError>(
                [] { Normal<double>(Tensor<double>{0.0, 0.0}, Tensor<double>{1.0, 0.0}); }),
            "Normal: element 1 of scale is 0, expected a number above 0 (here)");
  EXPECT_EQ(
      thrown<UsageError>([] { Normal<double>(full<double>({2}, 1.0), full<double>({3}, 2.0)); }),
      "Normal: axis -1: extents 2 and 3 differ; shapes [2] and [3] (here)");
}

}  // namespace normal_test
}  // namespace ddx::distributions
