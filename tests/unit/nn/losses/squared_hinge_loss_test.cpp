#include "ddx/nn/losses/squared_hinge_loss.h"

#include "ddx/core/error.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_loss.h"
#include "tests/support/thrown.h"

#include <gtest/gtest.h>

namespace ddx::nn {
namespace squared_hinge_loss_test {

using ddx::testing::LossOperands;

const LossOperands given;

TEST(SquaredHingeLoss, HasTheRecordedValueAndGradient) {
  ddx::testing::expect_recorded_loss(
      "squared_hinge", [](const Tensor<double>& x) { return squared_hinge_loss(x, given.signs); },
      given.predicted);
}

TEST(SquaredHingeLoss, GradientsAgreeWithDifferences) {
  ddx::testing::expect_differences(
      [](const Tensor<double>& x, const Tensor<double>& y) { return squared_hinge_loss(x, y); },
      given.predicted, given.signs);
}

TEST(SquaredHingeLoss, ReducesAsAsked) {
  ddx::testing::expect_reductions([](Reduction reduction) {
    return squared_hinge_loss(given.predicted, given.signs, reduction);
  });
}

TEST(SquaredHingeLoss, ShapesDoNotBroadcast) {
  EXPECT_EQ(ddx::testing::thrown<UsageError>(
                [] { (void)squared_hinge_loss(Tensor<double>{1.0, 2.0}, Tensor<double>{1.0}); }),
            "squared_hinge_loss: predicted has shape [2], labels has shape [1] (here)");
}

}  // namespace squared_hinge_loss_test
}  // namespace ddx::nn
