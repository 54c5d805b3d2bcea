#include "ddx/nn/optimizers/adamw.h"

#include "tests/support/recorded_optimizer.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::nn {
namespace adamw_test {

using ddx::testing::expect_option_refused;
using ddx::testing::expect_recorded_steps;
using Recorded = AdamW<ddx::testing::RecordedModel>;

TEST(AdamW, StepsAsPyTorchDoes) {
  expect_recorded_steps<Recorded>("adam", AdamWOptions{.learning_rate = 0.1, .weight_decay = 0});
  expect_recorded_steps<Recorded>("adamw", AdamWOptions{.learning_rate = 0.1, .weight_decay = 0.3});
}

TEST(AdamW, ItsStateHasNames) {
  const ddx::testing::RecordedModel model;
  Recorded optimizer(model);
  EXPECT_EQ(ddx::testing::state_names(optimizer),
            (std::vector<std::string>{"mean.vector", "mean.matrix", "mean.number", "square.vector",
                                      "square.matrix", "square.number", "steps"}));
}

TEST(AdamW, ImpossibleOptionsAreAnError) {
  expect_option_refused<Recorded>(
      AdamWOptions{.learning_rate = -0.5},
      "AdamW: learning_rate is -0.5, expected a finite number of at least 0");
  expect_option_refused<Recorded>(AdamWOptions{.beta1 = 1},
                                  "AdamW: beta1 is 1, expected 0 <= beta1 < 1");
  expect_option_refused<Recorded>(AdamWOptions{.beta2 = -0.5},
                                  "AdamW: beta2 is -0.5, expected 0 <= beta2 < 1");
  expect_option_refused<Recorded>(AdamWOptions{.epsilon = -0.5},
                                  "AdamW: epsilon is -0.5, expected a finite number of at least 0");
  expect_option_refused<Recorded>(
      AdamWOptions{.weight_decay = -0.5},
      "AdamW: weight_decay is -0.5, expected a finite number of at least 0");
}

}  // namespace adamw_test
}  // namespace ddx::nn
