#include "ddx/nn/layers/dropout.h"

#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/model_gradient.h"
#include "tests/support/step_layers.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>
#include <limits>

namespace ddx::nn {
namespace dropout_test {

TEST(Dropout, IsTheIdentityOutsideOfAStep) {
  ddx::testing::expect_identity_outside_of_a_step(Dropout<double>{{.rate = 0.9}});
}

TEST(Dropout, ZeroesTheRateAndScalesTheRest) {
  Dropout<double> layer{{.rate = 0.25}};
  layer.begin_step(RandomKey(2));
  int zeros_seen = 0;
  const auto y = layer(ones<double>({10000}));
  for (const double value : y.elements()) {
    zeros_seen += value == 0 ? 1 : 0;
    EXPECT_TRUE(value == 0 || value == 1 / 0.75) << value;
  }
  // Binomial: standard deviation 43.
  EXPECT_NEAR(zeros_seen, 2500, 200);
}

TEST(Dropout, TheKeyDecides) {
  Dropout<double> layer{{.rate = 0.5}};
  const auto x = ones<double>({100});
  layer.begin_step(RandomKey(2));
  const auto first = layer(x);
  EXPECT_EQ(layer(x), first);
  layer.begin_step(RandomKey(3));
  EXPECT_FALSE(layer(x) == first);
}

TEST(Dropout, GradientAgreesWithDifferences) {
  Dropout<double> layer{{.rate = 0.5}};
  const auto x = random_normal<double>(RandomKey(1), {3, 4});
  ddx::testing::expect_gradient(layer, x);
  layer.begin_step(RandomKey(2));
  ddx::testing::expect_gradient(layer, x);
}

TEST(Dropout, ImpossibleRatesAreAnError) {
  using ddx::testing::message_of;
  EXPECT_EQ(message_of<UsageError>([] { Dropout<float>{{.rate = 1}}; }),
            "Dropout: rate is 1, expected 0 <= rate < 1");
  EXPECT_EQ(message_of<UsageError>([] { Dropout<float>{{.rate = -0.5}}; }),
            "Dropout: rate is -0.5, expected 0 <= rate < 1");
  EXPECT_EQ(message_of<UsageError>(
                [] { Dropout<float>{{.rate = std::numeric_limits<double>::quiet_NaN()}}; }),
            "Dropout: rate is nan, expected 0 <= rate < 1");
}

TEST(Dropout, DrawsNothingAtTheRateZero) {
  Dropout<double> layer{{.rate = 0}};
  layer.begin_step(RandomKey(2));
  const auto x = random_normal<double>(RandomKey(1), {3, 4});
  EXPECT_EQ(layer(x).elements().data(), x.elements().data()) << "no new array";
}

}  // namespace dropout_test
}  // namespace ddx::nn
