#include "ddx/nn/losses/categorical_hinge_loss.h"

#include "ddx/core/error.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_loss.h"
#include "tests/support/thrown.h"

#include <gtest/gtest.h>

namespace ddx::nn {
namespace categorical_hinge_loss_test {

using ddx::testing::LossOperands;

const LossOperands given;

TEST(CategoricalHingeLoss, HasTheRecordedValueAndGradient) {
  ddx::testing::expect_recorded_loss(
      "categorical_hinge",
      [](const Tensor<double>& x) { return categorical_hinge_loss(x, given.one_hot); },
      given.predicted);
}

TEST(CategoricalHingeLoss, GradientsAgreeWithDifferences) {
  ddx::testing::expect_differences(
      [](const Tensor<double>& x, const Tensor<double>& y) { return categorical_hinge_loss(x, y); },
      given.predicted, given.one_hot);
}

TEST(CategoricalHingeLoss, ReducesAsAsked) {
  ddx::testing::expect_reductions([](Reduction reduction) {
    return categorical_hinge_loss(given.predicted, given.one_hot, reduction);
  });
}

TEST(CategoricalHingeLoss, ShapesDoNotBroadcast) {
  EXPECT_EQ(ddx::testing::thrown<UsageError>([] {
              (void)categorical_hinge_loss(Tensor<double>{1.0, 2.0}, Tensor<double>{1.0});
            }),
            "categorical_hinge_loss: predicted has shape [2], labels has shape [1] (here)");
}

}  // namespace categorical_hinge_loss_test
}  // namespace ddx::nn
