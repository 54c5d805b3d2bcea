#include "ddx/nn/optimizers/radam.h"

#include "tests/support/recorded_optimizer.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::nn {
namespace radam_test {

using ddx::testing::expect_option_refused;
using ddx::testing::expect_recorded_steps;
using Recorded = RAdam<ddx::testing::RecordedModel>;

TEST(RAdam, StepsAsPyTorchDoes) {
  expect_recorded_steps<Recorded>("radam", RAdamOptions{.learning_rate = 0.1});
  expect_recorded_steps<Recorded>(
      "radam_decay",
      RAdamOptions{
          .learning_rate = 0.1, .beta1 = 0.8, .beta2 = 0.99, .epsilon = 0.01, .weight_decay = 0.3});
}

TEST(RAdam, ItsStateHasNames) {
  const ddx::testing::RecordedModel model;
  Recorded optimizer(model);
  EXPECT_EQ(ddx::testing::state_names(optimizer),
            (std::vector<std::string>{"mean.vector", "mean.matrix", "mean.number", "square.vector",
                                      "square.matrix", "square.number", "steps"}));
}

TEST(RAdam, ImpossibleOptionsAreAnError) {
  expect_option_refused<Recorded>(
      RAdamOptions{.learning_rate = -0.5},
      "RAdam: learning_rate is -0.5, expected a finite number of at least 0");
  expect_option_refused<Recorded>(RAdamOptions{.beta1 = 1},
                                  "RAdam: beta1 is 1, expected 0 <= beta1 < 1");
  expect_option_refused<Recorded>(RAdamOptions{.beta2 = -0.5},
                                  "RAdam: beta2 is -0.5, expected 0 <= beta2 < 1");
  expect_option_refused<Recorded>(RAdamOptions{.epsilon = -0.5},
                                  "RAdam: epsilon is -0.5, expected a finite number of at least 0");
  expect_option_refused<Recorded>(
      RAdamOptions{.weight_decay = -0.5},
      "RAdam: weight_decay is -0.5, expected a finite number of at least 0");
}

}  // namespace radam_test
}  // namespace ddx::nn
