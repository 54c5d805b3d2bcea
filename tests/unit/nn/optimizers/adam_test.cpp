#include "ddx/nn/optimizers/adam.h"

#include "tests/support/recorded_optimizer.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::nn {
namespace {

using ddx::testing::expect_recorded_steps;
using ddx::testing::RecordedModel;
using Optimizer = Adam<RecordedModel>;

TEST(Adam, StepsAsPyTorchDoes) {
  expect_recorded_steps<Optimizer>("adam", AdamOptions{.learning_rate = 0.1});
  expect_recorded_steps<Optimizer>(
      "adam_betas",
      AdamOptions{.learning_rate = 0.05, .beta1 = 0.5, .beta2 = 0.8, .epsilon = 0.01});
  expect_recorded_steps<Optimizer>("adam_decay",
                                   AdamOptions{.learning_rate = 0.1, .weight_decay = 0.3});
}

TEST(Adam, AGradientOfAnotherShapeIsRefused) {
  ddx::testing::expect_misfit_refused<Optimizer>("Adam");
}

TEST(Adam, ItsStateHasAName) {
  const RecordedModel model;
  Optimizer optimizer(model);
  EXPECT_EQ(ddx::testing::state_names(optimizer),
            (std::vector<std::string>{"mean.weights", "mean.first", "mean.second", "square.weights",
                                      "square.first", "square.second", "steps"}));
}

TEST(Adam, ASymbolicZeroGradientChangesNothing) {
  RecordedModel model;
  Optimizer optimizer(model);
  optimizer.update(model, {});
  EXPECT_EQ(model.weights, RecordedModel().weights);
}

}  // namespace
}  // namespace ddx::nn
