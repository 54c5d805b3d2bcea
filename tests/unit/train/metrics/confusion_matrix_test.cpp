#include "ddx/train/metrics/confusion_matrix.h"

#include "ddx/core/error.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/tensor.h"
#include "ddx/train/metrics/confusion_scores.h"

#include "tests/support/recorded_metrics.h"
#include "tests/support/thrown.h"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace ddx::train {
namespace confusion_matrix_test {

using ddx::testing::recorded_classes;
using ddx::testing::thrown;
using Counts = Tensor<std::int64_t>;
using Classes = Tensor<std::int32_t>;

TEST(ConfusionMatrix, IsWhatIsRecorded) {
  for (const auto& recorded : ddx::testing::recorded_metrics()) {
    ConfusionMatrix metric(recorded_classes);
    accumulate_recorded(metric, recorded);
    EXPECT_EQ(metric.counts().values(), recorded.confusion);
  }
}

TEST(ConfusionMatrix, RowsAreLabelsAndColumnsAnswers) {
  ConfusionMatrix metric(2);
  metric.accumulate_classes(Classes{1, 1, 0}, Classes{0, 0, 1});
  EXPECT_EQ(metric.counts(), (Counts{{0, 2}, {1, 0}}));
  metric.reset();
  EXPECT_EQ(metric.counts(), (Counts{{0, 0}, {0, 0}}));
}

TEST(ConfusionMatrix, WhatIsNoClassIsReportedWhenTheCountsAreRead) {
  ConfusionMatrix metric(2);
  metric.accumulate_classes(Classes{1, 2, 0}, Classes{0, 0, -1});
  EXPECT_EQ(thrown<UsageError>([&] { (void)metric.counts(); }),
            "ConfusionMatrix: of 3 pairs of label and answer, 2 are not in [0, 2)");
}

TEST(ConfusionMatrix, TotalsOfReplicasAddUp) {
  ConfusionMatrix all(2);
  all.set_totals(ConfusionMatrix(2).totals());
  EXPECT_EQ(all.counts(), (Tensor<std::int64_t>{{0, 0}, {0, 0}}));
  ConfusionMatrix part(2);
  part.accumulate_classes(Tensor<std::int32_t>{0, 1, 1}, Tensor<std::int32_t>{0, 0, 1});
  EXPECT_EQ(part.totals(), (std::vector<double>{1, 1, 0, 1, 3}));
  all.set_totals({2, 2, 0, 2, 6});
  EXPECT_EQ(all.counts(), (Tensor<std::int64_t>{{2, 2}, {0, 2}}));
  // A row that is no class is still reported.
  all.set_totals({2, 2, 0, 2, 7});
  EXPECT_EQ(thrown<UsageError>([&] { (void)all.counts(); }),
            "ConfusionMatrix: of 7 pairs of label and answer, 1 are not in [0, 2)");
}

TEST(ConfusionMatrix, MistakesAreNamed) {
  EXPECT_EQ(thrown<UsageError>([] { ConfusionMatrix metric(0); }),
            "ConfusionMatrix: 0 classes, at least 1 is required (here)");
  ConfusionMatrix metric(2);
  EXPECT_EQ(thrown<UsageError>([&] { metric.accumulate_classes(Classes{1}, Classes{1, 1}); }),
            "ConfusionMatrix: outputs of shape [1] for targets of shape [2] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { metric.accumulate(zeros<float>({2, 2}), Classes{1}); }),
            "ConfusionMatrix: labels of shape [1] for scores of shape [2, 2], one for each row is "
            "required (here)");
  const auto many = zeros<std::int32_t>({std::int64_t{1} << 24});
  EXPECT_EQ(thrown<UsageError>([&] { metric.accumulate_classes(many, many); }),
            "ConfusionMatrix: 16777216 labels at once, at most 16777215 are possible (here)");
}

TEST(ConfusionScore, IsAFunctionOfTheMatrixAsAMetric) {
  for (const auto& recorded : ddx::testing::recorded_metrics()) {
    ConfusionScore metric(recorded_classes, matthews_correlation);
    accumulate_recorded(metric, recorded);
    EXPECT_NEAR(metric.measure(), recorded.whole.matthews, 1e-15);
    metric.reset();
    EXPECT_TRUE(std::isnan(metric.measure()));
  }
}

}  // namespace confusion_matrix_test
}  // namespace ddx::train
