#include "ddx/nn/losses/mean_absolute_percentage_error.h"

#include "ddx/core/error.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_loss.h"
#include "tests/support/thrown.h"

#include <gtest/gtest.h>

namespace ddx::nn {
namespace mean_absolute_percentage_error_test {

using ddx::testing::LossOperands;

const LossOperands given;

TEST(MeanAbsolutePercentageError, HasTheRecordedValueAndGradient) {
  ddx::testing::expect_recorded_loss(
      "mean_absolute_percentage_error",
      [](const Tensor<double>& x) { return mean_absolute_percentage_error(x, given.expected); },
      given.predicted);
}

TEST(MeanAbsolutePercentageError, GradientsAgreeWithDifferences) {
  ddx::testing::expect_differences(
      [](const Tensor<double>& x, const Tensor<double>& y) {
        return mean_absolute_percentage_error(x, y);
      },
      given.predicted, given.expected);
}

TEST(MeanAbsolutePercentageError, ReducesAsAsked) {
  ddx::testing::expect_reductions([](Reduction reduction) {
    return mean_absolute_percentage_error(given.predicted, given.expected, reduction);
  });
}

TEST(MeanAbsolutePercentageError, ShapesDoNotBroadcast) {
  EXPECT_EQ(
      ddx::testing::thrown<UsageError>([] {
        (void)mean_absolute_percentage_error(Tensor<double>{1.0, 2.0}, Tensor<double>{1.0});
      }),
      "mean_absolute_percentage_error: predicted has shape [2], expected has shape [1] (here)");
}

}  // namespace mean_absolute_percentage_error_test
}  // namespace ddx::nn
