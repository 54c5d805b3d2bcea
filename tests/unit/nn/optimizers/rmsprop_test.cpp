#include "ddx/nn/optimizers/rmsprop.h"

#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_optimizer.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::nn {
namespace rmsprop_test {

using ddx::testing::expect_option_refused;
using ddx::testing::expect_recorded_steps;
using Recorded = RMSProp<ddx::testing::RecordedModel>;

TEST(RMSProp, StepsAsPyTorchDoes) {
  expect_recorded_steps<Recorded>("rmsprop", RMSPropOptions{.learning_rate = 0.05});
  expect_recorded_steps<Recorded>(
      "rmsprop_decay",
      RMSPropOptions{.learning_rate = 0.05, .rho = 0.5, .epsilon = 0.01, .weight_decay = 0.3});
  expect_recorded_steps<Recorded>("rmsprop_momentum",
                                  RMSPropOptions{.learning_rate = 0.01, .momentum = 0.9});
  expect_recorded_steps<Recorded>("rmsprop_centered",
                                  RMSPropOptions{.learning_rate = 0.01, .centered = true});
  expect_recorded_steps<Recorded>(
      "rmsprop_centered_momentum",
      RMSPropOptions{.learning_rate = 0.01, .momentum = 0.5, .centered = true});
}

// The mean of equal squares may be rounded below the square of the mean.
TEST(RMSProp, EqualGradientsHaveNoVariance) {
  Tensor<float> weights{1};
  RMSProp optimizer(weights, {.learning_rate = 1e-6, .centered = true});
  for (int step = 0; step < 400; ++step) {
    optimizer.update(weights, Tensor<float>{0.333984375F});
  }
  EXPECT_LT(weights.item(), 1);
}

TEST(RMSProp, ItsStateHasNames) {
  const ddx::testing::RecordedModel model;
  Recorded optimizer(model);
  EXPECT_EQ(ddx::testing::state_names(optimizer),
            (std::vector<std::string>{
                "square.vector", "square.matrix", "square.number", "mean.vector", "mean.matrix",
                "mean.number", "velocity.vector", "velocity.matrix", "velocity.number", "steps"}));
}

TEST(RMSProp, ImpossibleOptionsAreAnError) {
  expect_option_refused<Recorded>(
      RMSPropOptions{.learning_rate = -0.5},
      "RMSProp: learning_rate is -0.5, expected a finite number of at least 0");
  expect_option_refused<Recorded>(RMSPropOptions{.rho = 1},
                                  "RMSProp: rho is 1, expected 0 <= rho < 1");
  expect_option_refused<Recorded>(
      RMSPropOptions{.epsilon = -0.5},
      "RMSProp: epsilon is -0.5, expected a finite number of at least 0");
  expect_option_refused<Recorded>(
      RMSPropOptions{.momentum = -0.5},
      "RMSProp: momentum is -0.5, expected a finite number of at least 0");
  expect_option_refused<Recorded>(
      RMSPropOptions{.weight_decay = -0.5},
      "RMSProp: weight_decay is -0.5, expected a finite number of at least 0");
}

}  // namespace rmsprop_test
}  // namespace ddx::nn
