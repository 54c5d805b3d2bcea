#include "ddx/nn/losses/l1_loss.h"

#include "ddx/ad/operators.h"
#include "ddx/core/error.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_loss.h"
#include "tests/support/thrown.h"

#include <gtest/gtest.h>

namespace ddx::nn {
namespace l1_loss_test {

using ddx::testing::LossOperands;

const LossOperands given;

TEST(L1Loss, HasTheRecordedValueAndGradient) {
  ddx::testing::expect_recorded_loss(
      "l1", [](const Tensor<double>& x) { return l1_loss(x, given.expected); }, given.predicted);
}

TEST(L1Loss, GradientsAgreeWithDifferences) {
  ddx::testing::expect_differences(
      [](const Tensor<double>& x, const Tensor<double>& y) { return l1_loss(x, y); },
      given.predicted, given.expected);
}

TEST(L1Loss, ReducesAsAsked) {
  ddx::testing::expect_reductions(
      [](Reduction reduction) { return l1_loss(given.predicted, given.expected, reduction); });
}

TEST(L1Loss, EqualElementsHaveNoSlope) {
  const Tensor<double> x{1.0, 2.0};
  const auto slope =
      gradient([](const Tensor<double>& p) { return l1_loss(p, Tensor<double>{1.0, 3.0}); }, x);
  EXPECT_EQ(slope, (Tensor<double>{0.0, -1.0}));
}

TEST(L1Loss, ShapesDoNotBroadcast) {
  EXPECT_EQ(ddx::testing::thrown<UsageError>(
                [] { (void)l1_loss(Tensor<double>{1.0, 2.0}, Tensor<double>{1.0}); }),
            "l1_loss: predicted has shape [2], expected has shape [1] (here)");
}

}  // namespace l1_loss_test
}  // namespace ddx::nn
