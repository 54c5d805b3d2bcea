#include "ddx/nn/optimizers/adam.h"

#include "tests/support/recorded_optimizer.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::nn {
namespace adam_test {

using ddx::testing::expect_option_refused;
using ddx::testing::expect_recorded_steps;
using Recorded = Adam<ddx::testing::RecordedModel>;

TEST(Adam, StepsAsPyTorchDoes) {
  expect_recorded_steps<Recorded>("adam", AdamOptions{.learning_rate = 0.1});
  expect_recorded_steps<Recorded>(
      "adam_betas",
      AdamOptions{.learning_rate = 0.05, .beta1 = 0.5, .beta2 = 0.8, .epsilon = 0.01});
  expect_recorded_steps<Recorded>("adam_decay",
                                  AdamOptions{.learning_rate = 0.1, .weight_decay = 0.3});
}

TEST(Adam, ItsStateHasNames) {
  const ddx::testing::RecordedModel model;
  Recorded optimizer(model);
  EXPECT_EQ(ddx::testing::state_names(optimizer),
            (std::vector<std::string>{"mean.vector", "mean.matrix", "mean.number", "square.vector",
                                      "square.matrix", "square.number", "steps"}));
}

TEST(Adam, ImpossibleOptionsAreAnError) {
  expect_option_refused<Recorded>(
      AdamOptions{.learning_rate = -0.5},
      "Adam: learning_rate is -0.5, expected a finite number of at least 0");
  expect_option_refused<Recorded>(AdamOptions{.beta1 = 1},
                                  "Adam: beta1 is 1, expected 0 <= beta1 < 1");
  expect_option_refused<Recorded>(AdamOptions{.beta2 = -0.5},
                                  "Adam: beta2 is -0.5, expected 0 <= beta2 < 1");
  expect_option_refused<Recorded>(AdamOptions{.epsilon = -0.5},
                                  "Adam: epsilon is -0.5, expected a finite number of at least 0");
  expect_option_refused<Recorded>(
      AdamOptions{.weight_decay = -0.5},
      "Adam: weight_decay is -0.5, expected a finite number of at least 0");
}

}  // namespace adam_test
}  // namespace ddx::nn
