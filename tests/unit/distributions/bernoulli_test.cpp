#include "ddx/distributions/bernoulli.h"

#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_distribution.h"
#include "tests/support/recorded_numbers.h"

#include <cmath>
#include <gtest/gtest.h>

namespace ddx::distributions {
namespace bernoulli_test {

TEST(Bernoulli, AgreesWithPyTorch) {
  const Bernoulli<double> p(Tensor<double>{-1.0, 0.5, 20.0});
  const Bernoulli<double> q(Tensor<double>{0.25, -0.5, 1.0});
  ddx::testing::expect_recorded_distribution("bernoulli", p, q, Tensor<double>{0.0, 1.0, 1.0});
  ddx::testing::expect_recorded_moments("bernoulli", p);
}

// 10000 trials of probability 1/4: standard deviation 43.
TEST(Bernoulli, SamplesAreOnesAsOftenAsAsked) {
  const Bernoulli<double> d(Tensor<double>(std::log(1.0 / 3)));
  const auto drawn = d.sample(RandomKey(1), {10000});
  EXPECT_NEAR(sum(drawn).item(), 2500, 4 * 43);
  for (const double value : drawn.elements()) {
    ASSERT_TRUE(value == 0 || value == 1) << value;
  }
  EXPECT_EQ(Bernoulli<double>(full<double>({2, 3}, 0.0)).sample(RandomKey(1), {4}).shape(),
            (Shape{4, 2, 3}));
}

}  // namespace bernoulli_test
}  // namespace ddx::distributions
