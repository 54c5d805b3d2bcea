#include "ddx/train/metrics/mean_loss.h"

#include "ddx/tensor/tensor.h"

#include <cmath>
#include <gtest/gtest.h>

namespace ddx::train {
namespace mean_loss_test {

TEST(MeanLoss, WeighsEachBatchByItsSamples) {
  MeanLoss metric;
  metric.accumulate(2.0, 3);
  metric.accumulate(Tensor<float>(5.0F), 1);
  EXPECT_EQ(metric.measure(), 2.75);  // (2 * 3 + 5) / 4
}

TEST(MeanLoss, NothingHasNoMean) {
  MeanLoss metric;
  EXPECT_TRUE(std::isnan(metric.measure()));
  metric.accumulate(1.0, 1);
  metric.reset();
  EXPECT_TRUE(std::isnan(metric.measure()));
}

TEST(MeanLoss, ANaNStays) {
  MeanLoss metric;
  metric.accumulate(NAN, 1);
  metric.accumulate(1.0, 1);
  EXPECT_TRUE(std::isnan(metric.measure()));
}

}  // namespace mean_loss_test
}  // namespace ddx::train
