#include "ddx/nn/losses/mean_squared_logarithmic_error.h"

#include "ddx/core/error.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_loss.h"
#include "tests/support/thrown.h"

#include <cmath>
#include <gtest/gtest.h>

namespace ddx::nn {
namespace mean_squared_logarithmic_error_test {

using ddx::testing::LossOperands;

const LossOperands given;

TEST(MeanSquaredLogarithmicError, HasTheRecordedValueAndGradient) {
  ddx::testing::expect_recorded_loss(
      "mean_squared_logarithmic_error",
      [](const Tensor<double>& x) {
        return mean_squared_logarithmic_error(x, given.expected_positive);
      },
      given.positive);
}

TEST(MeanSquaredLogarithmicError, GradientsAgreeWithDifferences) {
  ddx::testing::expect_differences(
      [](const Tensor<double>& x, const Tensor<double>& y) {
        return mean_squared_logarithmic_error(x, y);
      },
      given.positive, given.expected_positive);
}

TEST(MeanSquaredLogarithmicError, ReducesAsAsked) {
  ddx::testing::expect_reductions([](Reduction reduction) {
    return mean_squared_logarithmic_error(given.positive, given.expected_positive, reduction);
  });
}

TEST(MeanSquaredLogarithmicError, NegativeElementsCountAsZero) {
  // (log 1 - log 2)^2.
  const double value =
      mean_squared_logarithmic_error(Tensor<double>{-5.0}, Tensor<double>{1.0}).item();
  EXPECT_DOUBLE_EQ(value, std::log(2.0) * std::log(2.0));
}

TEST(MeanSquaredLogarithmicError, ShapesDoNotBroadcast) {
  EXPECT_EQ(
      ddx::testing::thrown<UsageError>([] {
        (void)mean_squared_logarithmic_error(Tensor<double>{1.0, 2.0}, Tensor<double>{1.0});
      }),
      "mean_squared_logarithmic_error: predicted has shape [2], expected has shape [1] (here)");
}

}  // namespace mean_squared_logarithmic_error_test
}  // namespace ddx::nn
