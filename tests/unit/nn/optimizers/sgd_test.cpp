#include "ddx/nn/optimizers/sgd.h"

#include "tests/support/recorded_optimizer.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::nn {
namespace {

using ddx::testing::expect_recorded_steps;
using ddx::testing::RecordedModel;
using Optimizer = SGD<RecordedModel>;

TEST(SGD, StepsAsPyTorchDoes) {
  expect_recorded_steps<Optimizer>("sgd", SGDOptions{.learning_rate = 0.05});
  expect_recorded_steps<Optimizer>("sgd_decay",
                                   SGDOptions{.learning_rate = 0.05, .weight_decay = 0.1});
  expect_recorded_steps<Optimizer>("sgd_momentum",
                                   SGDOptions{.learning_rate = 0.02, .momentum = 0.9});
  expect_recorded_steps<Optimizer>(
      "sgd_momentum_decay",
      SGDOptions{.learning_rate = 0.02, .momentum = 0.9, .weight_decay = 0.1});
  expect_recorded_steps<Optimizer>(
      "sgd_nesterov", SGDOptions{.learning_rate = 0.02, .momentum = 0.9, .nesterov = true});
}

TEST(SGD, AGradientOfAnotherShapeIsRefused) {
  ddx::testing::expect_misfit_refused<Optimizer>("SGD");
}

TEST(SGD, ItsStateHasAName) {
  const RecordedModel model;
  Optimizer optimizer(model);
  EXPECT_EQ(ddx::testing::state_names(optimizer),
            (std::vector<std::string>{"velocity.weights", "velocity.first", "velocity.second"}));
}

TEST(SGD, ASymbolicZeroGradientChangesNothing) {
  RecordedModel model;
  Optimizer optimizer(model, {.momentum = 0.9});
  optimizer.update(model, {});
  EXPECT_EQ(model.weights, RecordedModel().weights);
}

}  // namespace
}  // namespace ddx::nn
