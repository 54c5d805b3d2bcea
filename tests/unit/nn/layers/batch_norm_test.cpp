#include "ddx/nn/layers/batch_norm.h"

#include "ddx/ad/operators.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/tensor/closeness.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/model_gradient.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

namespace ddx::nn {
namespace batch_norm_test {

// Two channels: 1 and 3 have mean 2 and variance 1; 10 and 20 have mean 15 and variance 25.
const Tensor<double> x{{1.0, 10.0}, {3.0, 20.0}};

TEST(BatchNorm, AStepUsesTheBatchAndMovesTheRunningAverages) {
  BatchNorm<double> layer{{.features = 2, .momentum = 0.75, .epsilon = 0}};
  layer.scale = Tensor<double>{1.0, 2.0};
  layer.offset = Tensor<double>{0.0, 5.0};
  layer.begin_step(RandomKey(0));
  EXPECT_TRUE(all_close(layer(x), Tensor<double>{{-1.0, 3.0}, {1.0, 7.0}}));
  EXPECT_EQ(layer.running_mean, (Tensor<double>{0.0, 0.0}));
  layer.end_step();
  // 0.75 old + 0.25 new, from 0 and 1.
  EXPECT_TRUE(all_close(layer.running_mean, Tensor<double>{0.5, 3.75}));
  EXPECT_TRUE(all_close(layer.running_variance, Tensor<double>{1.0, 7.0}));
}

TEST(BatchNorm, InferenceUsesTheRunningAverages) {
  BatchNorm<double> layer{{.features = 2, .epsilon = 0.25}};
  layer.running_mean = Tensor<double>{1.0, 10.0};
  layer.running_variance = Tensor<double>{0.75, 24.75};
  EXPECT_TRUE(all_close(layer(x), Tensor<double>{{0.0, 0.0}, {2.0, 2.0}}));
}

TEST(BatchNorm, AStepWithoutACallLeavesTheAveragesAlone) {
  BatchNorm<double> layer{{.features = 2}};
  const auto before = layer.running_variance;
  layer.begin_step(RandomKey(0));
  layer.end_step();
  EXPECT_EQ(layer.running_variance, before);
}

TEST(BatchNorm, TheGradientAsksForTheStatisticsOnce) {
  BatchNorm<double> layer{{.features = 2, .momentum = 0}};
  layer.begin_step(RandomKey(0));
  (void)gradient([&](const BatchNorm<double>& l) { return sum(l(x)); }, layer);
  layer.end_step();
  EXPECT_TRUE(all_close(layer.running_mean, Tensor<double>{2.0, 15.0}));
  EXPECT_TRUE(all_close(layer.running_variance, Tensor<double>{1.0, 25.0}));
}

TEST(BatchNorm, GradientAgreesWithDifferences) {
  const auto images = random_normal<double>(RandomKey(1), {2, 3, 2, 3});
  BatchNorm<double> layer{{.features = 3}};
  layer.running_mean = random_normal<double>(RandomKey(2), {3});
  ddx::testing::expect_gradient(layer, images);
  layer.begin_step(RandomKey(0));
  ddx::testing::expect_gradient(layer, images);
}

TEST(BatchNorm, ImpossibleOptionsAreAnError) {
  using ddx::testing::message_of;
  EXPECT_EQ(message_of<UsageError>([] { BatchNorm<float>{{}}; }),
            "BatchNorm: features is 0, at least 1 is required");
  EXPECT_EQ(message_of<UsageError>([] { BatchNorm<float>{{.features = 1, .momentum = 1}}; }),
            "BatchNorm: momentum is 1, expected 0 <= momentum < 1");
}

}  // namespace batch_norm_test
}  // namespace ddx::nn
