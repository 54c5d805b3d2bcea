#include "ddx/nn/losses/mean_absolute_error.h"

#include "ddx/core/error.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_loss.h"
#include "tests/support/thrown.h"

#include <gtest/gtest.h>

namespace ddx::nn {
namespace mean_absolute_error_test {

using ddx::testing::LossOperands;

const LossOperands given;

TEST(MeanAbsoluteError, HasTheRecordedValueAndGradient) {
  ddx::testing::expect_recorded_loss(
      "mean_absolute_error",
      [](const Tensor<double>& x) { return mean_absolute_error(x, given.expected); },
      given.predicted);
}

TEST(MeanAbsoluteError, GradientsAgreeWithDifferences) {
  ddx::testing::expect_differences(
      [](const Tensor<double>& x, const Tensor<double>& y) { return mean_absolute_error(x, y); },
      given.predicted, given.expected);
}

TEST(MeanAbsoluteError, ReducesAsAsked) {
  ddx::testing::expect_reductions([](Reduction reduction) {
    return mean_absolute_error(given.predicted, given.expected, reduction);
  });
}

TEST(MeanAbsoluteError, ShapesDoNotBroadcast) {
  EXPECT_EQ(ddx::testing::thrown<UsageError>(
                [] { (void)mean_absolute_error(Tensor<double>{1.0, 2.0}, Tensor<double>{1.0}); }),
            "mean_absolute_error: predicted has shape [2], expected has shape [1] (here)");
}

}  // namespace mean_absolute_error_test
}  // namespace ddx::nn
