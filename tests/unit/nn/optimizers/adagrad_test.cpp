#include "ddx/nn/optimizers/adagrad.h"

#include "tests/support/recorded_optimizer.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::nn {
namespace adagrad_test {

using ddx::testing::expect_option_refused;
using ddx::testing::expect_recorded_steps;
using Recorded = AdaGrad<ddx::testing::RecordedModel>;

TEST(AdaGrad, StepsAsPyTorchDoes) {
  expect_recorded_steps<Recorded>("adagrad", AdaGradOptions{.learning_rate = 0.1});
  expect_recorded_steps<Recorded>("adagrad_decay", AdaGradOptions{.learning_rate = 0.1,
                                                                  .learning_rate_decay = 0.2,
                                                                  .initial_accumulator = 0,
                                                                  .epsilon = 0.01,
                                                                  .weight_decay = 0.3});
}

TEST(AdaGrad, ItsStateHasNames) {
  const ddx::testing::RecordedModel model;
  Recorded optimizer(model);
  EXPECT_EQ(ddx::testing::state_names(optimizer),
            (std::vector<std::string>{"sum.vector", "sum.matrix", "sum.number", "steps"}));
}

TEST(AdaGrad, ImpossibleOptionsAreAnError) {
  expect_option_refused<Recorded>(
      AdaGradOptions{.learning_rate = -0.5},
      "AdaGrad: learning_rate is -0.5, expected a finite number of at least 0");
  expect_option_refused<Recorded>(
      AdaGradOptions{.learning_rate_decay = -0.5},
      "AdaGrad: learning_rate_decay is -0.5, expected a finite number of at least 0");
  expect_option_refused<Recorded>(
      AdaGradOptions{.initial_accumulator = -0.5},
      "AdaGrad: initial_accumulator is -0.5, expected a finite number of at least 0");
  expect_option_refused<Recorded>(
      AdaGradOptions{.epsilon = -0.5},
      "AdaGrad: epsilon is -0.5, expected a finite number of at least 0");
  expect_option_refused<Recorded>(
      AdaGradOptions{.weight_decay = -0.5},
      "AdaGrad: weight_decay is -0.5, expected a finite number of at least 0");
}

}  // namespace adagrad_test
}  // namespace ddx::nn
