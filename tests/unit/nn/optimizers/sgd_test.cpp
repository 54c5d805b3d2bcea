#include "ddx/nn/optimizers/sgd.h"

#include "tests/support/recorded_optimizer.h"

#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

namespace ddx::nn {
namespace sgd_test {

using ddx::testing::expect_option_refused;
using ddx::testing::expect_recorded_steps;
using Recorded = SGD<ddx::testing::RecordedModel>;

TEST(SGD, StepsAsPyTorchDoes) {
  expect_recorded_steps<Recorded>("sgd", SGDOptions{.learning_rate = 0.05});
  expect_recorded_steps<Recorded>("sgd_decay",
                                  SGDOptions{.learning_rate = 0.05, .weight_decay = 0.1});
  expect_recorded_steps<Recorded>("sgd_momentum",
                                  SGDOptions{.learning_rate = 0.02, .momentum = 0.9});
  expect_recorded_steps<Recorded>(
      "sgd_momentum_decay",
      SGDOptions{.learning_rate = 0.02, .momentum = 0.9, .weight_decay = 0.1});
  expect_recorded_steps<Recorded>(
      "sgd_nesterov", SGDOptions{.learning_rate = 0.02, .momentum = 0.9, .nesterov = true});
  expect_recorded_steps<Recorded>(
      "sgd_dampening",
      SGDOptions{.learning_rate = 0.02, .momentum = 0.9, .dampening = 0.5, .weight_decay = 0.1});
}

TEST(SGD, ItsStateHasNames) {
  const ddx::testing::RecordedModel model;
  Recorded optimizer(model);
  EXPECT_EQ(
      ddx::testing::state_names(optimizer),
      (std::vector<std::string>{"velocity.vector", "velocity.matrix", "velocity.number", "steps"}));
}

TEST(SGD, ImpossibleOptionsAreAnError) {
  expect_option_refused<Recorded>(
      SGDOptions{.learning_rate = std::numeric_limits<double>::quiet_NaN()},
      "SGD: learning_rate is nan, expected a finite number of at least 0");
  expect_option_refused<Recorded>(
      SGDOptions{.learning_rate = std::numeric_limits<double>::infinity()},
      "SGD: learning_rate is inf, expected a finite number of at least 0");
  expect_option_refused<Recorded>(SGDOptions{.momentum = -0.5},
                                  "SGD: momentum is -0.5, expected a finite number of at least 0");
  expect_option_refused<Recorded>(SGDOptions{.dampening = -0.5},
                                  "SGD: dampening is -0.5, expected a finite number of at least 0");
  expect_option_refused<Recorded>(
      SGDOptions{.weight_decay = -0.5},
      "SGD: weight_decay is -0.5, expected a finite number of at least 0");
}

}  // namespace sgd_test
}  // namespace ddx::nn
