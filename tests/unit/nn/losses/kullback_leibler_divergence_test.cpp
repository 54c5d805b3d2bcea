#include "ddx/nn/losses/kullback_leibler_divergence.h"

#include "ddx/ad/operators.h"
#include "ddx/core/error.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_loss.h"
#include "tests/support/thrown.h"

#include <gtest/gtest.h>

namespace ddx::nn {
namespace kullback_leibler_divergence_test {

using ddx::testing::LossOperands;

const LossOperands given;

TEST(KullbackLeiblerDivergence, HasTheRecordedValueAndGradient) {
  ddx::testing::expect_recorded_loss(
      "kullback_leibler",
      [](const Tensor<double>& x) {
        return kullback_leibler_divergence(x, given.expected_probabilities);
      },
      given.probabilities);
}

TEST(KullbackLeiblerDivergence, GradientsAgreeWithDifferences) {
  ddx::testing::expect_differences(
      [](const Tensor<double>& x, const Tensor<double>& y) {
        return kullback_leibler_divergence(x, y);
      },
      given.probabilities, given.positive);
}

TEST(KullbackLeiblerDivergence, ReducesAsAsked) {
  ddx::testing::expect_reductions([](Reduction reduction) {
    return kullback_leibler_divergence(given.probabilities, given.expected_probabilities,
                                       reduction);
  });
}

TEST(KullbackLeiblerDivergence, WhatIsNotExpectedDoesNotCount) {
  const auto [value, slope] = value_with_gradient(
      [](const Tensor<double>& p) {
        return kullback_leibler_divergence(p, Tensor<double>{1.0, 0.0});
      },
      Tensor<double>{1.0, 0.0});
  EXPECT_EQ(value.item(), 0);
  EXPECT_EQ(slope, (Tensor<double>{-1.0, 0.0}));
}

TEST(KullbackLeiblerDivergence, ShapesDoNotBroadcast) {
  EXPECT_EQ(ddx::testing::thrown<UsageError>([] {
              (void)kullback_leibler_divergence(Tensor<double>{1.0, 2.0}, Tensor<double>{1.0});
            }),
            "kullback_leibler_divergence: predicted has shape [2], expected has shape [1] (here)");
}

}  // namespace kullback_leibler_divergence_test
}  // namespace ddx::nn
