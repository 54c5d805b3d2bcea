#include "ddx/nn/optimizers/adamax.h"

#include "tests/support/recorded_optimizer.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::nn {
namespace adamax_test {

using ddx::testing::expect_option_refused;
using ddx::testing::expect_recorded_steps;
using Recorded = AdaMax<ddx::testing::RecordedModel>;

TEST(AdaMax, StepsAsPyTorchDoes) {
  expect_recorded_steps<Recorded>("adamax", AdaMaxOptions{.learning_rate = 0.1});
  expect_recorded_steps<Recorded>(
      "adamax_decay",
      AdaMaxOptions{
          .learning_rate = 0.1, .beta1 = 0.5, .beta2 = 0.8, .epsilon = 0.01, .weight_decay = 0.3});
}

TEST(AdaMax, ItsStateHasNames) {
  const ddx::testing::RecordedModel model;
  Recorded optimizer(model);
  EXPECT_EQ(ddx::testing::state_names(optimizer),
            (std::vector<std::string>{"mean.vector", "mean.matrix", "mean.number", "largest.vector",
                                      "largest.matrix", "largest.number", "steps"}));
}

TEST(AdaMax, ImpossibleOptionsAreAnError) {
  expect_option_refused<Recorded>(
      AdaMaxOptions{.learning_rate = -0.5},
      "AdaMax: learning_rate is -0.5, expected a finite number of at least 0");
  expect_option_refused<Recorded>(AdaMaxOptions{.beta1 = 1},
                                  "AdaMax: beta1 is 1, expected 0 <= beta1 < 1");
  expect_option_refused<Recorded>(AdaMaxOptions{.beta2 = -0.5},
                                  "AdaMax: beta2 is -0.5, expected 0 <= beta2 < 1");
  expect_option_refused<Recorded>(AdaMaxOptions{.epsilon = 0},
                                  "AdaMax: epsilon is 0, expected a finite number above 0");
  expect_option_refused<Recorded>(
      AdaMaxOptions{.weight_decay = -0.5},
      "AdaMax: weight_decay is -0.5, expected a finite number of at least 0");
}

}  // namespace adamax_test
}  // namespace ddx::nn
