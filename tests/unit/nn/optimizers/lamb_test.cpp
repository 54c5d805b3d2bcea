#include "ddx/nn/optimizers/lamb.h"

#include "tests/support/recorded_optimizer.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::nn {
namespace lamb_test {

using ddx::testing::expect_option_refused;
using ddx::testing::expect_recorded_steps;
using Recorded = LAMB<ddx::testing::RecordedModel>;

TEST(LAMB, StepsAsThePaperSays) {
  expect_recorded_steps<Recorded>("lamb", LAMBOptions{.learning_rate = 0.05});
  expect_recorded_steps<Recorded>(
      "lamb_decay",
      LAMBOptions{
          .learning_rate = 0.02, .beta1 = 0.5, .beta2 = 0.9, .epsilon = 0.01, .weight_decay = 0.3});
}

TEST(LAMB, ItsStateHasNames) {
  const ddx::testing::RecordedModel model;
  Recorded optimizer(model);
  EXPECT_EQ(ddx::testing::state_names(optimizer),
            (std::vector<std::string>{"mean.vector", "mean.matrix", "mean.number", "square.vector",
                                      "square.matrix", "square.number", "steps"}));
}

TEST(LAMB, ImpossibleOptionsAreAnError) {
  expect_option_refused<Recorded>(
      LAMBOptions{.learning_rate = -0.5},
      "LAMB: learning_rate is -0.5, expected a finite number of at least 0");
  expect_option_refused<Recorded>(LAMBOptions{.beta1 = 1},
                                  "LAMB: beta1 is 1, expected 0 <= beta1 < 1");
  expect_option_refused<Recorded>(LAMBOptions{.beta2 = -0.5},
                                  "LAMB: beta2 is -0.5, expected 0 <= beta2 < 1");
  expect_option_refused<Recorded>(LAMBOptions{.epsilon = -0.5},
                                  "LAMB: epsilon is -0.5, expected a finite number of at least 0");
  expect_option_refused<Recorded>(
      LAMBOptions{.weight_decay = -0.5},
      "LAMB: weight_decay is -0.5, expected a finite number of at least 0");
}

}  // namespace lamb_test
}  // namespace ddx::nn
