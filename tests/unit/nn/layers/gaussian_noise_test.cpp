#include "ddx/nn/layers/gaussian_noise.h"

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
namespace gaussian_noise_test {

TEST(GaussianNoise, IsTheIdentityOutsideOfAStep) {
  ddx::testing::expect_identity_outside_of_a_step(GaussianNoise<double>{{.deviation = 2}});
}

// Of n numbers: deviation of the mean 2 / sqrt(n), of the variance 4 sqrt(2 / n); four of them.
TEST(GaussianNoise, HasTheDeviationAskedFor) {
  GaussianNoise<double> layer{{.deviation = 2}};
  layer.begin_step(RandomKey(2));
  const auto y = layer(full<double>({10000}, 5.0));
  EXPECT_NEAR(mean(y).item(), 5, 0.08);
  EXPECT_NEAR(variance(y).item(), 4, 0.23);
}

TEST(GaussianNoise, GradientAgreesWithDifferences) {
  GaussianNoise<double> layer{{.deviation = 0.5}};
  layer.begin_step(RandomKey(2));
  ddx::testing::expect_gradient(layer, random_normal<double>(RandomKey(1), {3, 4}));
}

TEST(GaussianNoise, ImpossibleDeviationsAreAnError) {
  EXPECT_EQ(ddx::testing::message_of<UsageError>([] { GaussianNoise<float>{{.deviation = -1}}; }),
            "GaussianNoise: deviation is -1, expected a finite number of at least 0");
}

TEST(GaussianNoise, DrawsNothingWithoutDeviation) {
  GaussianNoise<double> layer{{.deviation = 0}};
  layer.begin_step(RandomKey(2));
  const auto x = random_normal<double>(RandomKey(1), {3, 4});
  EXPECT_EQ(layer(x).elements().data(), x.elements().data()) << "no new array";
}

}  // namespace gaussian_noise_test
}  // namespace ddx::nn
