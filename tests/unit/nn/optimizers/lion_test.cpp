#include "ddx/nn/optimizers/lion.h"

#include "tests/support/recorded_optimizer.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::nn {
namespace lion_test {

using ddx::testing::expect_option_refused;
using ddx::testing::expect_recorded_steps;
using Recorded = Lion<ddx::testing::RecordedModel>;

TEST(Lion, StepsAsThePaperSays) {
  expect_recorded_steps<Recorded>("lion", LionOptions{.learning_rate = 0.1});
  expect_recorded_steps<Recorded>(
      "lion_decay",
      LionOptions{.learning_rate = 0.03, .beta1 = 0.5, .beta2 = 0.9, .weight_decay = 0.3});
}

TEST(Lion, ItsStateHasNames) {
  const ddx::testing::RecordedModel model;
  Recorded optimizer(model);
  EXPECT_EQ(
      ddx::testing::state_names(optimizer),
      (std::vector<std::string>{"momentum.vector", "momentum.matrix", "momentum.number", "steps"}));
}

TEST(Lion, ImpossibleOptionsAreAnError) {
  expect_option_refused<Recorded>(
      LionOptions{.learning_rate = -0.5},
      "Lion: learning_rate is -0.5, expected a finite number of at least 0");
  expect_option_refused<Recorded>(LionOptions{.beta1 = 1},
                                  "Lion: beta1 is 1, expected 0 <= beta1 < 1");
  expect_option_refused<Recorded>(LionOptions{.beta2 = -0.5},
                                  "Lion: beta2 is -0.5, expected 0 <= beta2 < 1");
  expect_option_refused<Recorded>(
      LionOptions{.weight_decay = -0.5},
      "Lion: weight_decay is -0.5, expected a finite number of at least 0");
}

}  // namespace lion_test
}  // namespace ddx::nn
