#include "ddx/train/metrics/confusion_scores.h"

#include "ddx/core/error.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_metrics.h"
#include "tests/support/thrown.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <span>
#include <vector>

namespace ddx::train {
namespace confusion_scores_test {

using ddx::testing::recorded_classes;
using ddx::testing::thrown;
using Counts = Tensor<std::int64_t>;

TEST(ConfusionScores, AveragesAreWhatIsRecorded) {
  for (const auto& recorded : ddx::testing::recorded_metrics()) {
    const Counts counts({recorded_classes, recorded_classes},
                        std::span<const std::int64_t>(recorded.confusion));
    std::size_t next = 0;
    for (const auto average : {Average::Macro, Average::Weighted, Average::Micro}) {
      const auto scores = averaged_scores(counts, average);
      for (const double score : {scores.precision, scores.recall, scores.f1}) {
        EXPECT_NEAR(score, recorded.averages[next++], 1e-15);
      }
    }
    EXPECT_NEAR(matthews_correlation(counts), recorded.whole.matthews, 1e-15);
  }
}

TEST(ConfusionScores, AreRatiosOfTheMatrix) {
  // Of 4 answers 0, 3 are right; of 5 labels 0, 3 were found.
  const auto scores = class_scores(Counts{{3, 2}, {1, 0}});
  ASSERT_EQ(scores.size(), 2U);
  EXPECT_DOUBLE_EQ(scores[0].precision, 0.75);
  EXPECT_DOUBLE_EQ(scores[0].recall, 0.6);
  EXPECT_DOUBLE_EQ(scores[0].f1, 2.0 / 3);  // 2 * 0.45 / 1.35
  EXPECT_EQ(scores[1].f1, 0);
  // Two classes: (3 * 0 - 2 * 1) / sqrt(5 * 1 * 4 * 2).
  EXPECT_DOUBLE_EQ(matthews_correlation(Counts{{3, 2}, {1, 0}}), -2 / std::sqrt(40.0));
}

TEST(ConfusionScores, OneAnswerForAllIsUncorrelated) {
  EXPECT_EQ(matthews_correlation(Counts{{5, 0}, {3, 0}}), 0);
  EXPECT_EQ(matthews_correlation(Counts{{5, 3}, {0, 0}}), 0);
  EXPECT_EQ(matthews_correlation(Counts{{5, 0}, {0, 3}}), 1);
  EXPECT_EQ(matthews_correlation(Counts{{0, 5}, {3, 0}}), -1);
}

TEST(ConfusionScores, OfNothingAreNotNumbers) {
  const auto none = zeros<std::int64_t>({2, 2});
  EXPECT_TRUE(std::isnan(matthews_correlation(none)));
  for (const auto average : {Average::Macro, Average::Weighted, Average::Micro}) {
    EXPECT_TRUE(std::isnan(averaged_scores(none, average).f1));
  }
  EXPECT_EQ(class_scores(none)[0].recall, 0);
}

TEST(ConfusionScores, WhatIsNoConfusionMatrixIsRefused) {
  EXPECT_EQ(thrown<UsageError>([] { (void)class_scores(Counts{1, 2}); }),
            "class_scores: counts of shape [2], a square matrix is required");
  EXPECT_EQ(thrown<UsageError>(
                [] { (void)averaged_scores(zeros<std::int64_t>({2, 3}), Average::Macro); }),
            "averaged_scores: counts of shape [2, 3], a square matrix is required");
  EXPECT_EQ(thrown<UsageError>([] { (void)matthews_correlation(Counts{{1, -1}, {0, 2}}); }),
            "matthews_correlation: a count of -1");
}

}  // namespace confusion_scores_test
}  // namespace ddx::train
