#include "ddx/train/statistic.h"

#include "ddx/core/random_key.h"
#include "ddx/nn/losses/mean_squared_error.h"
#include "ddx/nn/optimizers/sgd.h"
#include "ddx/tensor/tensor.h"
#include "ddx/train/fit.h"
#include "ddx/train/metrics/mean_absolute_error.h"
#include "ddx/train/metrics/perplexity.h"
#include "ddx/train/supervised.h"
#include "ddx/train/training.h"

#include "tests/support/small_training.h"

#include <cmath>
#include <gtest/gtest.h>

namespace ddx::train {
namespace statistic_test {

using ddx::testing::SmallData;
using ddx::testing::SmallModel;
using Numbers = Tensor<float>;

TEST(Statistic, ListensToTheLoop) {
  const SmallModel model;
  Training training{model, nn::SGD(model)};
  const auto loss = loss_statistic();
  const auto perplexity = statistic("perplexity", Perplexity());
  const auto error = statistic<Numbers, Numbers>("error", MeanAbsoluteError());
  EXPECT_EQ(loss.name, "loss");
  EXPECT_EQ(error.name, "error");
  double distance = 0;
  double mean = 0;
  (void)fit(training, SmallData(), ddx::testing::small_objective,
            {.epochs = 1, .batch_size = 4, .key = RandomKey(3)},
            {.batch_ended =
                 [&](Loop& loop) {
                   for (const auto* statistic : {&loss, &perplexity, &error}) {
                     statistic->accumulate(loop);
                   }
                   const auto output = loop.output<Numbers>().values();
                   const auto target = loop.target<Numbers>().values();
                   for (std::size_t i = 0; i < output.size(); ++i) {
                     distance += std::fabs(double{output[i]} - double{target[i]});
                   }
                 },
             .epoch_ended = [&](Loop& loop) { mean = loop.mean_loss(); }});
  EXPECT_DOUBLE_EQ(loss.measure(), mean);
  EXPECT_DOUBLE_EQ(perplexity.measure(), std::exp(mean));
  EXPECT_NEAR(error.measure(), distance / 11, 1e-7);
  error.reset();
  EXPECT_TRUE(std::isnan(error.measure()));
}

}  // namespace statistic_test
}  // namespace ddx::train
