#include "ddx/nn/optimizers/nadam.h"

#include "tests/support/recorded_optimizer.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::nn {
namespace nadam_test {

using ddx::testing::expect_option_refused;
using ddx::testing::expect_recorded_steps;
using Recorded = NAdam<ddx::testing::RecordedModel>;

TEST(NAdam, StepsAsPyTorchDoes) {
  expect_recorded_steps<Recorded>("nadam", NAdamOptions{.learning_rate = 0.1});
  expect_recorded_steps<Recorded>("nadam_decay", NAdamOptions{.learning_rate = 0.1,
                                                              .beta1 = 0.8,
                                                              .beta2 = 0.99,
                                                              .epsilon = 0.01,
                                                              .momentum_decay = 0.1,
                                                              .weight_decay = 0.3});
}

TEST(NAdam, ItsStateHasNames) {
  const ddx::testing::RecordedModel model;
  Recorded optimizer(model);
  EXPECT_EQ(ddx::testing::state_names(optimizer),
            (std::vector<std::string>{"mean.vector", "mean.matrix", "mean.number", "square.vector",
                                      "square.matrix", "square.number", "steps"}));
}

TEST(NAdam, ImpossibleOptionsAreAnError) {
  expect_option_refused<Recorded>(
      NAdamOptions{.learning_rate = -0.5},
      "NAdam: learning_rate is -0.5, expected a finite number of at least 0");
  expect_option_refused<Recorded>(NAdamOptions{.beta1 = 1},
                                  "NAdam: beta1 is 1, expected 0 <= beta1 < 1");
  expect_option_refused<Recorded>(NAdamOptions{.beta2 = -0.5},
                                  "NAdam: beta2 is -0.5, expected 0 <= beta2 < 1");
  expect_option_refused<Recorded>(NAdamOptions{.epsilon = -0.5},
                                  "NAdam: epsilon is -0.5, expected a finite number of at least 0");
  expect_option_refused<Recorded>(
      NAdamOptions{.weight_decay = -0.5},
      "NAdam: weight_decay is -0.5, expected a finite number of at least 0");
  expect_option_refused<Recorded>(
      NAdamOptions{.momentum_decay = -0.5},
      "NAdam: momentum_decay is -0.5, expected a finite number of at least 0");
}

}  // namespace nadam_test
}  // namespace ddx::nn
