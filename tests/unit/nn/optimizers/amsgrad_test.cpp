#include "ddx/nn/optimizers/amsgrad.h"

#include "tests/support/recorded_optimizer.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::nn {
namespace amsgrad_test {

using ddx::testing::expect_option_refused;
using ddx::testing::expect_recorded_steps;
using Recorded = AMSGrad<ddx::testing::RecordedModel>;

TEST(AMSGrad, StepsAsPyTorchDoes) {
  expect_recorded_steps<Recorded>("amsgrad",
                                  AMSGradOptions{.learning_rate = 0.1, .beta1 = 0.5, .beta2 = 0.6});
  expect_recorded_steps<Recorded>(
      "amsgrad_decay",
      AMSGradOptions{.learning_rate = 0.1, .beta1 = 0.5, .beta2 = 0.6, .weight_decay = 0.3});
}

TEST(AMSGrad, ItsStateHasNames) {
  const ddx::testing::RecordedModel model;
  Recorded optimizer(model);
  EXPECT_EQ(ddx::testing::state_names(optimizer),
            (std::vector<std::string>{"mean.vector", "mean.matrix", "mean.number", "square.vector",
                                      "square.matrix", "square.number", "largest_square.vector",
                                      "largest_square.matrix", "largest_square.number", "steps"}));
}

TEST(AMSGrad, ImpossibleOptionsAreAnError) {
  expect_option_refused<Recorded>(
      AMSGradOptions{.learning_rate = -0.5},
      "AMSGrad: learning_rate is -0.5, expected a finite number of at least 0");
  expect_option_refused<Recorded>(AMSGradOptions{.beta1 = 1},
                                  "AMSGrad: beta1 is 1, expected 0 <= beta1 < 1");
  expect_option_refused<Recorded>(AMSGradOptions{.beta2 = -0.5},
                                  "AMSGrad: beta2 is -0.5, expected 0 <= beta2 < 1");
  expect_option_refused<Recorded>(
      AMSGradOptions{.epsilon = -0.5},
      "AMSGrad: epsilon is -0.5, expected a finite number of at least 0");
  expect_option_refused<Recorded>(
      AMSGradOptions{.weight_decay = -0.5},
      "AMSGrad: weight_decay is -0.5, expected a finite number of at least 0");
}

}  // namespace amsgrad_test
}  // namespace ddx::nn
