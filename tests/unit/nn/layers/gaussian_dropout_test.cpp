#include "ddx/nn/layers/gaussian_dropout.h"

#include "ddx/ad/operators.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/moments.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/model_gradient.h"
#include "tests/support/step_layers.h"
#include "tests/support/temporary_folder.h"

#include <cmath>
#include <gtest/gtest.h>

namespace ddx::nn {
namespace gaussian_dropout_test {

TEST(GaussianDropout, IsTheIdentityOutsideOfAStep) {
  ddx::testing::expect_identity_outside_of_a_step(GaussianDropout<double>{{.rate = 0.2}});
}

// Factors of variance 0.2 / 0.8 on 2: variance 1. Deviation of the mean of n numbers 1 / sqrt(n),
// of the variance sqrt(2 / n); four of them.
TEST(GaussianDropout, HasTheMomentsOfDropout) {
  GaussianDropout<double> layer{{.rate = 0.2}};
  layer.begin_step(RandomKey(2));
  const auto y = layer(full<double>({10000}, 2.0));
  EXPECT_NEAR(mean(y).item(), 2, 0.04);
  EXPECT_NEAR(variance(y).item(), 1, 0.057);
}

TEST(GaussianDropout, GradientAgreesWithDifferences) {
  GaussianDropout<double> layer{{.rate = 0.5}};
  layer.begin_step(RandomKey(2));
  ddx::testing::expect_gradient(layer, random_normal<double>(RandomKey(1), {3, 4}));
}

TEST(GaussianDropout, ImpossibleRatesAreAnError) {
  EXPECT_EQ(ddx::testing::message_of<UsageError>([] { GaussianDropout<float>{{.rate = 1}}; }),
            "GaussianDropout: rate is 1, expected 0 <= rate < 1");
}

TEST(GaussianDropout, DrawsNothingAtTheRateZero) {
  GaussianDropout<double> layer{{.rate = 0}};
  layer.begin_step(RandomKey(2));
  const auto x = random_normal<double>(RandomKey(1), {3, 4});
  EXPECT_EQ(layer(x).elements().data(), x.elements().data()) << "no new array";
}

}  // namespace gaussian_dropout_test
}  // namespace ddx::nn
