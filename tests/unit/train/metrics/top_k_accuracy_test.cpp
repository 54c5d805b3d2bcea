#include "ddx/train/metrics/top_k_accuracy.h"

#include "ddx/core/error.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_metrics.h"
#include "tests/support/thrown.h"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>

namespace ddx::train {
namespace top_k_accuracy_test {

using ddx::testing::thrown;

/// Whether a label is among the best k of one row.
bool is_right(std::int64_t k, const Tensor<float>& row, std::int32_t label) {
  TopKAccuracy metric(k);
  metric.accumulate(row, Tensor<std::int32_t>{label});
  return metric.measure() == 1;
}

TEST(TopKAccuracy, IsWhatIsRecorded) {
  for (const auto& recorded : ddx::testing::recorded_metrics()) {
    TopKAccuracy best(1);
    TopKAccuracy two(2);
    TopKAccuracy all(5);
    accumulate_recorded(best, recorded);
    accumulate_recorded(two, recorded);
    accumulate_recorded(all, recorded);
    EXPECT_DOUBLE_EQ(best.measure(), recorded.whole.accuracy);
    EXPECT_DOUBLE_EQ(two.measure(), recorded.top_2_accuracy);
    EXPECT_EQ(all.measure(), 1);
  }
}

TEST(TopKAccuracy, EqualScoresAreNotAbove) {
  EXPECT_TRUE(is_right(1, Tensor<float>{{2, 2, 2}}, 2));
  EXPECT_FALSE(is_right(1, Tensor<float>{{2, 3, 2}}, 2));
  EXPECT_TRUE(is_right(2, Tensor<float>{{2, 3, 2}}, 2));
}

TEST(TopKAccuracy, ANaNIsAboveAllAndNoLabelIsRightByOne) {
  EXPECT_FALSE(is_right(1, Tensor<float>{{NAN, 3, 2}}, 1));
  EXPECT_TRUE(is_right(2, Tensor<float>{{NAN, 3, 2}}, 1));
  EXPECT_FALSE(is_right(2, Tensor<float>{{NAN, 3, 2}}, 0));
}

TEST(TopKAccuracy, InfiniteScoresAreScores) {
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(is_right(1, Tensor<float>{{infinity, 3, -infinity}}, 0));
  EXPECT_FALSE(is_right(2, Tensor<float>{{infinity, 3, -infinity}}, 2));
}

TEST(TopKAccuracy, WhatIsNoClassIsNeverRight) {
  EXPECT_FALSE(is_right(5, Tensor<float>{{-1, -2}}, 2));
  EXPECT_FALSE(is_right(5, Tensor<float>{{-1, -2}}, -1));
}

TEST(TopKAccuracy, OfNothingIsNotANumber) {
  TopKAccuracy metric(3);
  metric.accumulate(zeros<float>({0, 4}), zeros<std::int32_t>({0}));
  EXPECT_TRUE(std::isnan(metric.measure()));
  metric.accumulate(zeros<float>({1, 4}), zeros<std::int32_t>({1}));
  metric.reset();
  EXPECT_TRUE(std::isnan(metric.measure()));
}

TEST(TopKAccuracy, MistakesAreNamed) {
  EXPECT_EQ(thrown<UsageError>([] { TopKAccuracy metric(0); }),
            "TopKAccuracy: k is 0, at least 1 is required (here)");
  EXPECT_EQ(thrown<UsageError>(
                [] { TopKAccuracy().accumulate(zeros<float>({3}), zeros<std::int32_t>({3})); }),
            "TopKAccuracy: labels of shape [3] for scores of shape [3], one for each row is "
            "required (here)");
}

}  // namespace top_k_accuracy_test
}  // namespace ddx::train
