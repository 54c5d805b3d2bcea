#include "ddx/nn/losses/l2_loss.h"

#include "ddx/core/error.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_loss.h"
#include "tests/support/thrown.h"

#include <gtest/gtest.h>

namespace ddx::nn {
namespace l2_loss_test {

using ddx::testing::LossOperands;

const LossOperands given;

TEST(L2Loss, HasTheRecordedValueAndGradient) {
  ddx::testing::expect_recorded_loss(
      "l2", [](const Tensor<double>& x) { return l2_loss(x, given.expected); }, given.predicted);
}

TEST(L2Loss, GradientsAgreeWithDifferences) {
  ddx::testing::expect_differences(
      [](const Tensor<double>& x, const Tensor<double>& y) { return l2_loss(x, y); },
      given.predicted, given.expected);
}

TEST(L2Loss, ReducesAsAsked) {
  ddx::testing::expect_reductions(
      [](Reduction reduction) { return l2_loss(given.predicted, given.expected, reduction); });
}

TEST(L2Loss, ShapesDoNotBroadcast) {
  EXPECT_EQ(ddx::testing::thrown<UsageError>(
                [] { (void)l2_loss(Tensor<double>{1.0, 2.0}, Tensor<double>{1.0}); }),
            "l2_loss: predicted has shape [2], expected has shape [1] (here)");
}

}  // namespace l2_loss_test
}  // namespace ddx::nn
