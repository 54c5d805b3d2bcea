#include "ddx/nn/optimizers/parameter_group.h"

#include "ddx/core/error.h"
#include "ddx/nn/optimizers/adamw.h"
#include "ddx/nn/optimizers/sgd.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_optimizer.h"

#include <gtest/gtest.h>
#include <string>

namespace ddx::nn {
namespace parameter_group_test {

using ddx::testing::RecordedModel;

RecordedModel::TangentVector ones_gradient() {
  RecordedModel::TangentVector gradient{};
  gradient.vector = Tensor<double>{1.0, 1.0, 1.0};
  gradient.matrix = Tensor<double>{{1.0, 1.0, 1.0}, {1.0, 1.0, 1.0}};
  gradient.number = 1;
  return gradient;
}

TEST(ParameterGroup, SelectorsReadThePath) {
  EXPECT_TRUE(paths_ending_with("bias")("blocks.0.bias"));
  EXPECT_FALSE(paths_ending_with("bias")("bias.scale"));
  EXPECT_TRUE(paths_starting_with("encoder.")("encoder.weight"));
  EXPECT_FALSE(paths_starting_with("encoder.")("decoder.encoder.weight"));
  EXPECT_TRUE(paths_starting_with("")(""));
}

TEST(ParameterGroup, ItsParametersStepByTheirOwnOptions) {
  RecordedModel model;
  SGD optimizer(model, {.learning_rate = 1});
  optimizer.groups.push_back(
      {paths_ending_with("or"), [](auto& own) { own.learning_rate *= 0.5; }});
  optimizer.groups.push_back(
      {paths_starting_with("number"), [](auto& own) { own.learning_rate = 0; }});
  optimizer.update(model, ones_gradient());
  EXPECT_EQ(model.vector, (Tensor<double>{0.5, -2.5, 0.0}));
  EXPECT_EQ(model.matrix, (Tensor<double>{{0.5, -1.5, -0.75}, {-2.0, 1.0, -0.25}}));
  EXPECT_EQ(model.number, 1.0);
}

TEST(ParameterGroup, WhatAScheduleSetsReachesTheGroup) {
  RecordedModel model;
  SGD optimizer(model, {.learning_rate = 1});
  optimizer.groups.push_back(
      {paths_ending_with("vector"), [](auto& own) { own.learning_rate *= 0.5; }});
  optimizer.options.learning_rate = 0.5;
  EXPECT_EQ(optimizer.options_of("vector").learning_rate, 0.25);
  EXPECT_EQ(optimizer.options_of("matrix").learning_rate, 0.5);
}

TEST(ParameterGroup, LaterGroupsWin) {
  const RecordedModel model;
  AdamW optimizer(model, {.weight_decay = 0.1});
  optimizer.groups.push_back({paths_starting_with(""), [](auto& own) { own.weight_decay = 0.2; }});
  optimizer.groups.push_back(
      {paths_ending_with("vector"), [](auto& own) { own.weight_decay *= 0.5; }});
  EXPECT_EQ(optimizer.options_of("vector").weight_decay, 0.1);
  EXPECT_EQ(optimizer.options_of("number").weight_decay, 0.2);
}

TEST(ParameterGroup, ImpossibleOptionsOfOneParameterChangeNothing) {
  RecordedModel model;
  SGD optimizer(model, {.learning_rate = 1});
  optimizer.groups.push_back(
      {paths_ending_with("number"), [](auto& own) { own.learning_rate = -1; }});
  EXPECT_EQ(ddx::testing::message_of<UsageError>([&] { optimizer.update(model, ones_gradient()); }),
            "SGD: learning_rate is -1, expected a finite number of at least 0");
  EXPECT_EQ(model.vector, RecordedModel().vector);
}

TEST(ParameterGroup, AnUnfinishedGroupIsAnError) {
  RecordedModel model;
  SGD optimizer(model, {.learning_rate = 1});
  optimizer.groups.push_back({paths_ending_with("number"), nullptr});
  EXPECT_EQ(ddx::testing::message_of<UsageError>([&] { optimizer.update(model, ones_gradient()); }),
            "SGD: parameter group 0 lacks a function that reports or adjusts its parameters");
}

}  // namespace parameter_group_test
}  // namespace ddx::nn
