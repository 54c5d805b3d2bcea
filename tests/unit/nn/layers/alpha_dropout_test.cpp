#include "ddx/nn/layers/alpha_dropout.h"

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
namespace alpha_dropout_test {

TEST(AlphaDropout, IsTheIdentityOutsideOfAStep) {
  ddx::testing::expect_identity_outside_of_a_step(AlphaDropout<double>{{.rate = 0.2}});
}

// By hand, rate 0.2: l = -1.7580993408473766, a = (0.8 + l^2 0.16)^(-1/2)
// and b = -0.2 a l.
TEST(AlphaDropout, ElementsStayOrGoToTheLeastValue) {
  AlphaDropout<double> layer{{.rate = 0.2}};
  layer.begin_step(RandomKey(2));
  constexpr double least = -1.7580993408473766;
  const double a = 1 / std::sqrt(0.8 + least * least * 0.16);
  int dropped = 0;
  const auto y = layer(full<double>({10000}, 2.0));
  for (const double value : y.elements()) {
    const bool gone = value < 0;
    dropped += gone ? 1 : 0;
    EXPECT_NEAR(value, a * (gone ? least : 2.0) - 0.2 * a * least, 1e-14);
  }
  // Binomial: standard deviation 40.
  EXPECT_NEAR(dropped, 2000, 160);
}

// Deviation of the mean of n numbers 1 / sqrt(n), of the variance sqrt(2 / n); four of them.
TEST(AlphaDropout, KeepsMeanAndVariance) {
  AlphaDropout<double> layer{{.rate = 0.2}};
  layer.begin_step(RandomKey(2));
  const auto y = layer(random_normal<double>(RandomKey(1), {10000}));
  EXPECT_NEAR(mean(y).item(), 0, 0.04);
  EXPECT_NEAR(variance(y).item(), 1, 0.057);
}

TEST(AlphaDropout, GradientAgreesWithDifferences) {
  AlphaDropout<double> layer{{.rate = 0.5}};
  layer.begin_step(RandomKey(2));
  ddx::testing::expect_gradient(layer, random_normal<double>(RandomKey(1), {3, 4}));
}

TEST(AlphaDropout, ImpossibleRatesAreAnError) {
  EXPECT_EQ(ddx::testing::message_of<UsageError>([] { AlphaDropout<float>{{.rate = 1}}; }),
            "AlphaDropout: rate is 1, expected 0 <= rate < 1");
}

TEST(AlphaDropout, DrawsNothingAtTheRateZero) {
  AlphaDropout<double> layer{{.rate = 0}};
  layer.begin_step(RandomKey(2));
  const auto x = random_normal<double>(RandomKey(1), {3, 4});
  EXPECT_EQ(layer(x).elements().data(), x.elements().data()) << "no new array";
}

}  // namespace alpha_dropout_test
}  // namespace ddx::nn
