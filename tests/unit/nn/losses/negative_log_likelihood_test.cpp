#include "ddx/nn/losses/negative_log_likelihood.h"

#include "ddx/ad/operators.h"
#include "ddx/core/error.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_loss.h"
#include "tests/support/thrown.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <limits>

namespace ddx::nn {
namespace negative_log_likelihood_test {

using ddx::testing::LossOperands;

const LossOperands given;

TEST(NegativeLogLikelihood, HasTheRecordedValueAndGradient) {
  ddx::testing::expect_recorded_loss(
      "negative_log_likelihood",
      [](const Tensor<double>& x) { return negative_log_likelihood(x, given.labels); },
      given.probabilities);
}

TEST(NegativeLogLikelihood, ReducesAsAsked) {
  ddx::testing::expect_reductions([](Reduction reduction) {
    return negative_log_likelihood(given.probabilities, given.labels, reduction);
  });
}

TEST(NegativeLogLikelihood, WhatIsImpossibleBesideTheLabelDoesNotCount) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  const Tensor<double> certain{{-inf, 0.0}};
  EXPECT_EQ(negative_log_likelihood(certain, Tensor<std::int32_t>{1}).item(), 0);
  EXPECT_EQ(negative_log_likelihood(certain, Tensor<std::int32_t>{0}).item(), inf);
}

TEST(NegativeLogLikelihood, LabelsMustFit) {
  using ddx::testing::thrown;
  const Tensor<double> rows{{0.0, 1.0}, {2.0, 3.0}};
  EXPECT_EQ(
      thrown<UsageError>([&] { (void)negative_log_likelihood(rows, Tensor<std::int32_t>{1}); }),
      "negative_log_likelihood: labels have shape [1], one for each row of [2, 2] is required "
      "(here)");
  EXPECT_EQ(
      thrown<UsageError>([&] { (void)negative_log_likelihood(rows, Tensor<std::int32_t>{1, 2}); }),
      "negative_log_likelihood: label 2 is not in [0, 2) (here)");
  EXPECT_EQ(thrown<UsageError>([&] {
              (void)negative_log_likelihood(Tensor<double>{0.0}, Tensor<std::int32_t>{0});
            }),
            "negative_log_likelihood: log_probabilities has shape [1], rank 2 is required (here)");
}

TEST(NegativeLogLikelihood, RowsWithTheIgnoredLabelDoNotCount) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const Tensor<double> rows{{-1.0, -2.0}, {nan, nan}, {-3.0, -5.0}};
  const auto [value, slope] = value_with_gradient(
      [](const Tensor<double>& x) {
        return negative_log_likelihood(x, Tensor<std::int64_t>{0, -100, 1}, {.ignore_index = -100});
      },
      rows);
  EXPECT_EQ(value.item(), 3);
  EXPECT_EQ(slope, (Tensor<double>{{-0.5, 0.0}, {0.0, 0.0}, {0.0, -0.5}}));
  EXPECT_EQ(
      negative_log_likelihood(rows, Tensor<std::int32_t>{4, 4, 4}, {.ignore_index = 4}).item(), 0);
}

}  // namespace negative_log_likelihood_test
}  // namespace ddx::nn
