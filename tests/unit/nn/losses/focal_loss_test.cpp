#include "ddx/nn/losses/focal_loss.h"

#include "ddx/ad/operators.h"
#include "ddx/core/error.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_loss.h"
#include "tests/support/thrown.h"

#include <gtest/gtest.h>
#include <optional>

namespace ddx::nn {
namespace focal_loss_test {

using ddx::testing::LossOperands;

const LossOperands given;

TEST(FocalLoss, HasTheRecordedValueAndGradient) {
  const auto expect = [](const char* name, const FocalOptions& options) {
    ddx::testing::expect_recorded_loss(
        name, [&](const Tensor<double>& x) { return focal_loss(x, given.bits, options); },
        given.predicted);
  };
  expect("focal", {.alpha = std::nullopt});
  expect("focal_balanced", {.gamma = 0.5, .alpha = 0.25});
  expect("focal_zero", {.gamma = 0, .alpha = std::nullopt});
}

TEST(FocalLoss, ReducesAsAsked) {
  ddx::testing::expect_reductions([](Reduction reduction) {
    return focal_loss(given.predicted, given.bits, {.reduction = reduction});
  });
}

TEST(FocalLoss, LargeLogitsDoNotOverflow) {
  for (const double gamma : {0.0, 0.5, 2.0}) {
    const auto [value, slope] = value_with_gradient(
        [&](const Tensor<double>& x) {
          return focal_loss(x, Tensor<double>{1.0, 0.0, 1.0, 0.0},
                            {.gamma = gamma, .alpha = std::nullopt, .reduction = Reduction::Sum});
        },
        Tensor<double>{1000.0, 1000.0, -1000.0, -1000.0});
    // Certainly right costs nothing, certainly wrong its logit.
    EXPECT_EQ(value.item(), 2000) << gamma;
    EXPECT_EQ(slope, (Tensor<double>{0.0, 1.0, -1.0, 0.0})) << gamma;
  }
}

TEST(FocalLoss, ImpossibleOperandsAreAnError) {
  using ddx::testing::thrown;
  EXPECT_EQ(thrown<UsageError>([] { (void)focal_loss(given.predicted, given.signs); }),
            "focal_loss: label 1 is -1, expected 0 or 1 (here)");
  EXPECT_EQ(
      thrown<UsageError>([] { (void)focal_loss(given.predicted, given.bits, {.gamma = -1}); }),
      "focal_loss: gamma is -1, expected a finite number of at least 0");
  EXPECT_EQ(thrown<UsageError>([] { (void)focal_loss(given.predicted, given.bits, {.alpha = 2}); }),
            "focal_loss: alpha is 2, expected 0 <= alpha <= 1");
}

TEST(FocalLoss, ShapesDoNotBroadcast) {
  EXPECT_EQ(ddx::testing::thrown<UsageError>(
                [] { (void)focal_loss(Tensor<double>{1.0, 2.0}, Tensor<double>{1.0}); }),
            "focal_loss: logits has shape [2], labels has shape [1] (here)");
}

}  // namespace focal_loss_test
}  // namespace ddx::nn
