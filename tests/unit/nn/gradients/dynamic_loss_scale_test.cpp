#include "ddx/nn/gradients/dynamic_loss_scale.h"

#include "ddx/ad/operators.h"
#include "ddx/core/error.h"
#include "ddx/nn/optimizers/sgd.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_optimizer.h"

#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace ddx::nn {
namespace dynamic_loss_scale_test {

using ddx::testing::message_of;
using ddx::testing::RecordedModel;
using Gradient = RecordedModel::TangentVector;

Gradient gradient_with(double number) {
  Gradient gradient{};
  gradient.number = number;
  return gradient;
}

TEST(DynamicLossScale, TheGradientOfTheScaledLossIsUnscaled) {
  const RecordedModel model;
  DynamicLossScale scale({.initial = 1024});
  auto scaled = gradient(
      [&](const RecordedModel& m) { return scale.scaled(sum(m.vector * m.vector)); }, model);
  EXPECT_EQ(scaled.vector, model.vector * 2048.0);
  const auto unscaled = scale.take_unscaled(std::move(scaled));
  ASSERT_TRUE(unscaled.has_value());
  EXPECT_EQ(unscaled->vector, model.vector * 2.0);
}

TEST(DynamicLossScale, ANumberIsScaledToo) {
  const DynamicLossScale scale({.initial = 8});
  EXPECT_EQ(gradient([&](double x) { return scale.scaled(x * x); }, 3.0), 48.0);
}

TEST(DynamicLossScale, ShrinksWhenAGradientIsNotFinite) {
  DynamicLossScale scale({.initial = 8, .backoff = 0.25});
  EXPECT_FALSE(scale.take_unscaled(gradient_with(std::numeric_limits<double>::infinity())));
  EXPECT_EQ(scale.value(), 2);
  Gradient gradient{};
  gradient.matrix = Tensor<double>{{1.0, std::numeric_limits<double>::quiet_NaN()}};
  EXPECT_FALSE(scale.take_unscaled(gradient));
  EXPECT_EQ(scale.value(), 0.5);
}

TEST(DynamicLossScale, GrowsAfterGoodStepsInARow) {
  DynamicLossScale scale({.initial = 4, .growth = 3, .growth_interval = 2});
  (void)scale.take_unscaled(gradient_with(1));
  (void)scale.take_unscaled(gradient_with(std::numeric_limits<double>::infinity()));
  EXPECT_EQ(scale.value(), 2);
  (void)scale.take_unscaled(gradient_with(1));
  EXPECT_EQ(scale.value(), 2);
  (void)scale.take_unscaled(gradient_with(1));
  EXPECT_EQ(scale.value(), 6);
}

TEST(DynamicLossScale, AStepThatOverflowsLeavesModelAndOptimizerAsTheyAre) {
  RecordedModel model;
  SGD<RecordedModel> optimizer(model, {.learning_rate = 0.5});
  DynamicLossScale scale({.initial = 8, .backoff = 0.25});
  Gradient gradient{};
  gradient.number = 4;
  gradient.vector = Tensor<double>{16.0, 0.0, std::numeric_limits<double>::infinity()};
  const RecordedModel before = model;
  scale.update(optimizer, model, gradient);
  EXPECT_EQ(scale.value(), 2);
  EXPECT_EQ(optimizer.steps(), 0);
  EXPECT_EQ(model.vector, before.vector);
  EXPECT_EQ(model.number, before.number);
  gradient.vector = Tensor<double>{16.0, 0.0, 1.0};
  scale.update(optimizer, model, gradient);
  EXPECT_EQ(optimizer.steps(), 1);
  EXPECT_EQ(model.vector, before.vector - Tensor<double>({4.0, 0.0, 0.25}));
  EXPECT_EQ(model.number, before.number - 1);
}

TEST(DynamicLossScale, DoesNotGrowToInfinity) {
  DynamicLossScale scale({.initial = 1e308, .growth = 10, .growth_interval = 1});
  (void)scale.take_unscaled(gradient_with(1));
  EXPECT_EQ(scale.value(), 1e308);
}

TEST(DynamicLossScale, ItsStateHasNames) {
  DynamicLossScale scale;
  EXPECT_EQ(ddx::testing::state_names(scale), (std::vector<std::string>{"value", "good_steps"}));
}

TEST(DynamicLossScale, ImpossibleOptionsAreAnError) {
  const auto refusal = [](const DynamicLossScaleOptions& options) {
    return message_of<UsageError>([&] { DynamicLossScale scale(options); });
  };
  EXPECT_EQ(refusal({.initial = 0}),
            "DynamicLossScale: initial is 0, expected a finite number above 0");
  EXPECT_EQ(refusal({.growth = 0.5}),
            "DynamicLossScale: growth is 0.5, expected 1 <= growth <= 1e+06");
  EXPECT_EQ(refusal({.backoff = 0}),
            "DynamicLossScale: backoff is 0, expected a finite number above 0");
  EXPECT_EQ(refusal({.backoff = 2}), "DynamicLossScale: backoff is 2, expected 0 <= backoff <= 1");
  EXPECT_EQ(refusal({.growth_interval = 0}),
            "DynamicLossScale: growth_interval is 0, at least 1 is required");
}

}  // namespace dynamic_loss_scale_test
}  // namespace ddx::nn
