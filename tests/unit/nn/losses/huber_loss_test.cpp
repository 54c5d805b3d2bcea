#include "ddx/nn/losses/huber_loss.h"

#include "ddx/ad/operators.h"
#include "ddx/core/error.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_loss.h"
#include "tests/support/thrown.h"

#include <gtest/gtest.h>

namespace ddx::nn {
namespace huber_loss_test {

using ddx::testing::LossOperands;

const LossOperands given;

TEST(HuberLoss, HasTheRecordedValueAndGradient) {
  ddx::testing::expect_recorded_loss(
      "huber",
      [](const Tensor<double>& x) { return huber_loss(x, given.expected, {.delta = 0.75}); },
      given.predicted);
}

TEST(HuberLoss, GradientsAgreeWithDifferences) {
  ddx::testing::expect_differences(
      [](const Tensor<double>& x, const Tensor<double>& y) { return huber_loss(x, y); },
      given.predicted, given.expected);
}

TEST(HuberLoss, ReducesAsAsked) {
  ddx::testing::expect_reductions([](Reduction reduction) {
    return huber_loss(given.predicted, given.expected, {.reduction = reduction});
  });
}

TEST(HuberLoss, LargeErrorsCountOnce) {
  const auto [value, slope] = value_with_gradient(
      [](const Tensor<double>& p) { return huber_loss(p, Tensor<double>{0.0, 0.0}); },
      Tensor<double>{1e200, 0.0});
  EXPECT_DOUBLE_EQ(value.item(), 1e200);
  EXPECT_EQ(slope, (Tensor<double>{1.0, 0.0}));
}

TEST(HuberLoss, ImpossibleDeltasAreAnError) {
  EXPECT_EQ(ddx::testing::thrown<UsageError>(
                [] { (void)huber_loss(given.predicted, given.expected, {.delta = 0}); }),
            "huber_loss: delta is 0, expected a finite number above 0");
}

TEST(HuberLoss, ShapesDoNotBroadcast) {
  EXPECT_EQ(ddx::testing::thrown<UsageError>(
                [] { (void)huber_loss(Tensor<double>{1.0, 2.0}, Tensor<double>{1.0}); }),
            "huber_loss: predicted has shape [2], expected has shape [1] (here)");
}

}  // namespace huber_loss_test
}  // namespace ddx::nn
