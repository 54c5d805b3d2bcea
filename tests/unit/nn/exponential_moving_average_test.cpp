#include "ddx/nn/exponential_moving_average.h"

#include "ddx/ad/differentiable.h"
#include "ddx/core/error.h"
#include "ddx/nn/layers/batch_norm.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_optimizer.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::nn {
namespace exponential_moving_average_test {

using ddx::testing::message_of;
using ddx::testing::RecordedModel;

TEST(ExponentialMovingAverage, MovesTowardsTheModel) {
  RecordedModel model;
  ExponentialMovingAverage average(model, {.decay = 0.75});
  EXPECT_EQ(average.model().number, 1);
  model.number = 5;
  model.vector = Tensor<double>{5.0, -2.0, 4.5};
  average.update(model);
  // 0.75 old + 0.25 new.
  EXPECT_EQ(average.model().number, 2);
  EXPECT_EQ(average.model().vector, (Tensor<double>{2.0, -2.0, 1.5}));
  average.update(model);
  EXPECT_EQ(average.model().number, 2.75);
  EXPECT_EQ(model.number, 5);
}

TEST(ExponentialMovingAverage, WarmUpKeepsLessInTheFirstSteps) {
  RecordedModel model;
  model.number = 0;
  ExponentialMovingAverage average(model, {.decay = 0.2, .warm_up = true});
  model.number = 1;
  average.update(model);
  EXPECT_DOUBLE_EQ(average.model().number, 9.0 / 11);  // Keeps 2 / 11.
  average.update(model);
  EXPECT_DOUBLE_EQ(average.model().number, 1 - 0.2 * 2.0 / 11);  // Keeps 0.2, less than 3 / 12.
}

TEST(ExponentialMovingAverage, StateBesideParametersIsTheModels) {
  BatchNorm<double> model{{.features = 2}};
  ExponentialMovingAverage average(model, {.decay = 0.5});
  model.running_mean = Tensor<double>{1.0, 2.0};
  model.scale = Tensor<double>{3.0, 5.0};
  average.update(model);
  EXPECT_EQ(average.model().running_mean, (Tensor<double>{1.0, 2.0}));
  EXPECT_EQ(average.model().scale, (Tensor<double>{2.0, 3.0}));
}

TEST(ExponentialMovingAverage, AModelOfAnotherFormChangesNothing) {
  RecordedModel model;
  ExponentialMovingAverage average(model);
  model.number = 7;
  model.matrix = Tensor<double>{1.0};
  EXPECT_EQ(message_of<UsageError>([&] { average.update(model); }),
            "ExponentialMovingAverage: average of matrix has shape [2, 3], its parameter has shape "
            "[1]");
  EXPECT_EQ(average.model().number, 1);
}

TEST(ExponentialMovingAverage, ImpossibleDecaysAreAnError) {
  EXPECT_EQ(message_of<UsageError>([] { ExponentialMovingAverage(RecordedModel(), {.decay = 1}); }),
            "ExponentialMovingAverage: decay is 1, expected 0 <= decay < 1");
}

TEST(ExponentialMovingAverage, ItsStateHasNames) {
  ExponentialMovingAverage average(BatchNorm<double>{{.features = 2}});
  EXPECT_EQ(ddx::testing::state_names(average),
            (std::vector<std::string>{"average.scale", "average.offset", "average.running_mean",
                                      "average.running_variance", "steps"}));
}

}  // namespace exponential_moving_average_test
}  // namespace ddx::nn
