#include "ddx/nn/optimizers/adadelta.h"

#include "tests/support/recorded_optimizer.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::nn {
namespace adadelta_test {

using ddx::testing::expect_option_refused;
using ddx::testing::expect_recorded_steps;
using Recorded = AdaDelta<ddx::testing::RecordedModel>;

TEST(AdaDelta, StepsAsPyTorchDoes) {
  expect_recorded_steps<Recorded>("adadelta", AdaDeltaOptions{});
  expect_recorded_steps<Recorded>(
      "adadelta_decay",
      AdaDeltaOptions{.learning_rate = 0.5, .rho = 0.5, .epsilon = 0.01, .weight_decay = 0.3});
}

TEST(AdaDelta, ItsStateHasNames) {
  const ddx::testing::RecordedModel model;
  Recorded optimizer(model);
  EXPECT_EQ(ddx::testing::state_names(optimizer),
            (std::vector<std::string>{"square.vector", "square.matrix", "square.number",
                                      "change_square.vector", "change_square.matrix",
                                      "change_square.number", "steps"}));
}

TEST(AdaDelta, ImpossibleOptionsAreAnError) {
  expect_option_refused<Recorded>(
      AdaDeltaOptions{.learning_rate = -0.5},
      "AdaDelta: learning_rate is -0.5, expected a finite number of at least 0");
  expect_option_refused<Recorded>(AdaDeltaOptions{.rho = 1},
                                  "AdaDelta: rho is 1, expected 0 <= rho < 1");
  expect_option_refused<Recorded>(AdaDeltaOptions{.epsilon = 0},
                                  "AdaDelta: epsilon is 0, expected a finite number above 0");
  expect_option_refused<Recorded>(
      AdaDeltaOptions{.weight_decay = -0.5},
      "AdaDelta: weight_decay is -0.5, expected a finite number of at least 0");
}

}  // namespace adadelta_test
}  // namespace ddx::nn
