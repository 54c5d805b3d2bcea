#include "ddx/distributions/uniform.h"

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
#include <limits>

namespace ddx::distributions {
namespace uniform_test {

TEST(Uniform, AgreesWithPyTorch) {
  const Uniform<double> p(Tensor<double>{-1.0, 0.5, 2.0}, Tensor<double>{1.0, 2.0, 5.0});
  const Uniform<double> q(Tensor<double>{-2.0, 0.25, 1.5}, Tensor<double>{2.0, 2.5, 7.0});
  ddx::testing::expect_recorded_distribution("uniform", p, q, Tensor<double>{0.5, 1.75, 2.0});
  ddx::testing::expect_recorded_moments("uniform", p);
}

TEST(Uniform, SamplesHaveTheirDistribution) {
  const Uniform<double> one(Tensor<double>(-1.0), Tensor<double>(3.0));
  ddx::testing::expect_distribution(one.sample(RandomKey(1), {20000}),
                                    [](double x) { return (x + 1) / 4; });
}

TEST(Uniform, SamplesHaveTheShapeOfAllParameters) {
  const Uniform<double> wide(full<double>({2, 1}, 1.0), full<double>({3}, 2.0));
  EXPECT_EQ(wide.sample(RandomKey(1), {4}).shape(), (Shape{4, 2, 3}));
  EXPECT_EQ(wide.sample(RandomKey(1)).shape(), (Shape{2, 3}));
  EXPECT_EQ(wide.mean().shape(), (Shape{2, 3}));
  EXPECT_EQ(wide.variance().shape(), (Shape{2, 3}));
  EXPECT_EQ(wide.entropy().shape(), (Shape{2, 3}));
}

// The mean of x^2 is (l^2 + l h + h^2) / 3.
TEST(Uniform, TheGradientFlowsThroughSamples) {
  const auto slope = gradient(
      [](const Uniform<double>& d) { return mean(square(d.sample(RandomKey(1), {20000}))); },
      Uniform<double>(Tensor<double>(-1.0), Tensor<double>(3.0)));
  EXPECT_NEAR(slope.low.item(), 1.0 / 3, 0.03);
  EXPECT_NEAR(slope.high.item(), 5.0 / 3, 0.05);
}

TEST(Uniform, NothingLiesOutside) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  const Uniform<double> p(Tensor<double>{0.0, 0.0, 0.0}, Tensor<double>{2.0, 2.0, 2.0});
  EXPECT_EQ(p.log_probability(Tensor<double>{-0.5, 2.0, 0.0}),
            (Tensor<double>{-inf, -inf, -std::log(2.0)}));
  const Uniform<double> q(Tensor<double>{0.5, 0.0, 0.0}, Tensor<double>{2.0, 1.5, 2.0});
  EXPECT_EQ(kl_divergence(p, q), (Tensor<double>{inf, inf, 0}));
}

TEST(Uniform, MistakesAreAnError) {
  using ddx::testing::thrown;
  EXPECT_EQ(thrown<UsageError>(
                [] { Uniform<double>(Tensor<double>{0.0, 1.0}, Tensor<double>{1.0, 1.0}); }),
            "Uniform: element 1 of high - low is 0, expected a number above 0 (here)");
  EXPECT_EQ(
      thrown<UsageError>([] { Uniform<double>(full<double>({2}, 1.0), full<double>({3}, 2.0)); }),
      "Uniform: axis -1: extents 2 and 3 differ; shapes [2] and [3] (here)");
}

}  // namespace uniform_test
}  // namespace ddx::distributions
