#include "ddx/distributions/exponential.h"

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
namespace exponential_test {

TEST(Exponential, AgreesWithPyTorch) {
  const Exponential<double> p(Tensor<double>{0.5, 1.5, 3.0});
  const Exponential<double> q(Tensor<double>{2.0, 0.25, 1.25});
  ddx::testing::expect_recorded_distribution("exponential", p, q, Tensor<double>{0.5, 1.75, 2.0});
  ddx::testing::expect_recorded_moments("exponential", p);
}

TEST(Exponential, SamplesHaveTheirDistribution) {
  const Exponential<double> one(Tensor<double>(2.0));
  ddx::testing::expect_distribution(one.sample(RandomKey(1), {20000}),
                                    [](double x) { return 1 - std::exp(-2 * x); });
}

// The mean of x^2 is 2 / r^2.
TEST(Exponential, TheGradientFlowsThroughSamples) {
  const auto slope = gradient(
      [](const Exponential<double>& d) { return mean(square(d.sample(RandomKey(1), {20000}))); },
      Exponential<double>(Tensor<double>(2.0)));
  EXPECT_NEAR(slope.rate.item(), -0.5, 0.03);
}

TEST(Exponential, NothingLiesBelowZero) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(Exponential<double>(Tensor<double>(2.0)).log_probability(Tensor<double>{-0.5, 0.0}),
            (Tensor<double>{-inf, std::log(2.0)}));
}

TEST(Exponential, MistakesAreAnError) {
  using ddx::testing::thrown;
  EXPECT_EQ(thrown<UsageError>([] { Exponential<double>(Tensor<double>{1.0, -1.0}); }),
            "Exponential: element 1 of rate is -1, expected a number above 0 (here)");
}

}  // namespace exponential_test
}  // namespace ddx::distributions
