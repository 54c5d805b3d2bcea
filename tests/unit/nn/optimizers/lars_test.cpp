#include "ddx/nn/optimizers/lars.h"

#include "tests/support/recorded_optimizer.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::nn {
namespace lars_test {

using ddx::testing::expect_option_refused;
using ddx::testing::expect_recorded_steps;
using Recorded = LARS<ddx::testing::RecordedModel>;

TEST(LARS, StepsAsThePaperSays) {
  expect_recorded_steps<Recorded>("lars",
                                  LARSOptions{.learning_rate = 1, .trust_coefficient = 0.02});
  expect_recorded_steps<Recorded>("lars_nesterov", LARSOptions{.learning_rate = 1,
                                                               .momentum = 0.8,
                                                               .trust_coefficient = 0.02,
                                                               .nesterov = true,
                                                               .weight_decay = 0.3});
}

TEST(LARS, ItsStateHasNames) {
  const ddx::testing::RecordedModel model;
  Recorded optimizer(model);
  EXPECT_EQ(
      ddx::testing::state_names(optimizer),
      (std::vector<std::string>{"velocity.vector", "velocity.matrix", "velocity.number", "steps"}));
}

TEST(LARS, ImpossibleOptionsAreAnError) {
  expect_option_refused<Recorded>(
      LARSOptions{.learning_rate = -0.5},
      "LARS: learning_rate is -0.5, expected a finite number of at least 0");
  expect_option_refused<Recorded>(LARSOptions{.momentum = -0.5},
                                  "LARS: momentum is -0.5, expected a finite number of at least 0");
  expect_option_refused<Recorded>(
      LARSOptions{.trust_coefficient = -0.5},
      "LARS: trust_coefficient is -0.5, expected a finite number of at least 0");
  expect_option_refused<Recorded>(LARSOptions{.epsilon = -0.5},
                                  "LARS: epsilon is -0.5, expected a finite number of at least 0");
  expect_option_refused<Recorded>(
      LARSOptions{.weight_decay = -0.5},
      "LARS: weight_decay is -0.5, expected a finite number of at least 0");
}

}  // namespace lars_test
}  // namespace ddx::nn
