#include "ddx/nn/losses/hinge_loss.h"

#include "ddx/core/error.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_loss.h"
#include "tests/support/thrown.h"

#include <gtest/gtest.h>

namespace ddx::nn {
namespace hinge_loss_test {

using ddx::testing::LossOperands;

const LossOperands given;

TEST(HingeLoss, HasTheRecordedValueAndGradient) {
  ddx::testing::expect_recorded_loss(
      "hinge", [](const Tensor<double>& x) { return hinge_loss(x, given.signs); }, given.predicted);
}

TEST(HingeLoss, GradientsAgreeWithDifferences) {
  ddx::testing::expect_differences(
      [](const Tensor<double>& x, const Tensor<double>& y) { return hinge_loss(x, y); },
      given.predicted, given.signs);
}

TEST(HingeLoss, ReducesAsAsked) {
  ddx::testing::expect_reductions(
      [](Reduction reduction) { return hinge_loss(given.predicted, given.signs, reduction); });
}

TEST(HingeLoss, ShapesDoNotBroadcast) {
  EXPECT_EQ(ddx::testing::thrown<UsageError>(
                [] { (void)hinge_loss(Tensor<double>{1.0, 2.0}, Tensor<double>{1.0}); }),
            "hinge_loss: predicted has shape [2], labels has shape [1] (here)");
}

}  // namespace hinge_loss_test
}  // namespace ddx::nn
