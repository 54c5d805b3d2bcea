#include "ddx/train/metrics/accuracy.h"

#include "ddx/core/error.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/tensor.h"
#include "ddx/train/metrics/confusion_matrix.h"
#include "ddx/train/metrics/top_k_accuracy.h"

#include "tests/support/recorded_metrics.h"
#include "tests/support/thrown.h"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>

namespace ddx::train {
namespace accuracy_test {

using ddx::testing::thrown;

TEST(Accuracy, IsWhatIsRecorded) {
  for (const auto& recorded : ddx::testing::recorded_metrics()) {
    Accuracy metric;
    accumulate_recorded(metric, recorded);
    EXPECT_DOUBLE_EQ(metric.measure(), recorded.whole.accuracy);
  }
}

TEST(Accuracy, TakesTheFirstOfEqualScoresAndLetsNaNWin) {
  Accuracy metric;
  metric.accumulate(Tensor<double>{{2, 2}, {2, 2}, {NAN, 3}, {3, NAN}},
                    Tensor<std::int32_t>{0, 1, 0, 0});
  EXPECT_EQ(metric.measure(), 0.5);
}

TEST(Accuracy, CountsEveryTokenOfASequence) {
  Accuracy metric;
  metric.accumulate(Tensor<float>{{{1, 0}, {0, 1}, {0, 1}}}, Tensor<std::int32_t>{{0, 1, 0}});
  EXPECT_DOUBLE_EQ(metric.measure(), 2.0 / 3);
}

TEST(Accuracy, OfNothingIsNotANumber) {
  Accuracy metric;
  EXPECT_TRUE(std::isnan(metric.measure()));
  metric.accumulate(zeros<float>({0, 3}), zeros<std::int32_t>({0}));
  EXPECT_TRUE(std::isnan(metric.measure()));
  metric.accumulate(Tensor<float>{{1, 0}}, Tensor<std::int32_t>{0});
  EXPECT_EQ(metric.measure(), 1);
  metric.reset();
  EXPECT_TRUE(std::isnan(metric.measure()));
}

TEST(Accuracy, LabelsAreNotStretched) {
  Accuracy metric;
  EXPECT_EQ(thrown<UsageError>(
                [&] { metric.accumulate(zeros<float>({3, 2}), zeros<std::int32_t>({1})); }),
            "Accuracy: labels of shape [1] for scores of shape [3, 2], one for each row is "
            "required (here)");
  EXPECT_TRUE(std::isnan(metric.measure()));
}

TEST(Accuracy, TakesLabelsOf64Bits) {
  const Tensor<float> scores{{1, 0}, {0, 1}, {0, 1}};
  const Tensor<std::int64_t> labels{0, 1, std::int64_t{1} << 32};  // The last is no class.
  Accuracy metric;
  metric.accumulate(scores, labels);
  EXPECT_DOUBLE_EQ(metric.measure(), 2.0 / 3);
  TopKAccuracy best(1);
  best.accumulate(scores, labels);
  EXPECT_DOUBLE_EQ(best.measure(), 2.0 / 3);
  ConfusionMatrix matrix(2);
  matrix.accumulate(scores, Tensor<std::int64_t>{0, 1, 0});
  EXPECT_EQ(matrix.counts(), (Tensor<std::int64_t>{{1, 1}, {0, 1}}));
}

}  // namespace accuracy_test
}  // namespace ddx::train
