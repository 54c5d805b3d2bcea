#include "ddx/nn/layers/frozen.h"

#include "ddx/ad/operators.h"
#include "ddx/core/random_key.h"
#include "ddx/nn/layers/batch_norm.h"
#include "ddx/nn/layers/dense.h"
#include "ddx/nn/layers/sequential.h"
#include "ddx/nn/optimizers/adamw.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/model_gradient.h"

#include <gtest/gtest.h>
#include <string>
#include <type_traits>
#include <vector>

namespace ddx::nn {
namespace {

using Names = std::vector<std::string>;

const Sequential model{Dense<double>{{.in = 3, .out = 2}},
                       Frozen{Dense<double>{{.in = 2, .out = 2, .key = RandomKey(5)}}}};

TEST(Frozen, HasNoParametersButState) {
  Names parameters;
  Names state;
  visit_parameters([&](const Path& path, const auto&) { parameters.push_back(to_string(path)); },
                   model);
  visit_state([&](const Path& path, const auto&) { state.push_back(to_string(path)); }, model);
  EXPECT_EQ(parameters, (Names{"first.weight", "first.bias"}));
  EXPECT_EQ(state, (Names{"first.weight", "first.bias", "rest.first.layer.weight",
                          "rest.first.layer.bias"}));
}

TEST(Frozen, TheGradientFlowsThrough) {
  const auto x = random_normal<double>(RandomKey(1), {4, 3});
  const Sequential open{model.first, model.rest.first.layer};
  EXPECT_EQ(model(x), open(x));
  ddx::testing::expect_gradient(model, x);
}

TEST(Frozen, IsNeitherMovedNorDecayed) {
  auto trained = model;
  AdamW optimizer(trained, {.learning_rate = 0.1, .weight_decay = 0.5});
  const auto x = random_normal<double>(RandomKey(1), {4, 3});
  optimizer.update(trained, gradient([&](const auto& m) { return sum(m(x)); }, trained));
  EXPECT_FALSE(trained.first.weight == model.first.weight);
  EXPECT_EQ(trained.rest.first.layer.weight, model.rest.first.layer.weight);
}

TEST(Frozen, RestsInTrainingSteps) {
  Frozen layer{BatchNorm<double>{{.features = 2}}};
  const auto x = random_normal<double>(RandomKey(1), {4, 2});
  const auto before = layer(x);
  begin_step(layer, RandomKey(2));
  EXPECT_EQ(layer(x), before);
  end_step(layer);
  initialize(layer, RandomKey(3));
  EXPECT_EQ(layer(x), before);
}

TEST(Frozen, MovesWithTheModel) {
  auto moved = model;
  move_to(moved, Device::naive());
  EXPECT_EQ(moved.rest.first.layer.weight.device(), Device::naive());
}

}  // namespace
}  // namespace ddx::nn
