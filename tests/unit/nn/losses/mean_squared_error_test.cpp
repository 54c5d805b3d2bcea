#include "ddx/nn/losses/mean_squared_error.h"

#include "ddx/ad/operators.h"
#include "ddx/core/error.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_loss.h"
#include "tests/support/thrown.h"

#include <cmath>
#include <gtest/gtest.h>

namespace ddx::nn {
namespace mean_squared_error_test {

using ddx::testing::LossOperands;

const LossOperands given;

TEST(MeanSquaredError, HasTheRecordedValueAndGradient) {
  ddx::testing::expect_recorded_loss(
      "mean_squared_error",
      [](const Tensor<double>& x) { return mean_squared_error(x, given.expected); },
      given.predicted);
}

TEST(MeanSquaredError, GradientsAgreeWithDifferences) {
  ddx::testing::expect_differences(
      [](const Tensor<double>& x, const Tensor<double>& y) { return mean_squared_error(x, y); },
      given.predicted, given.expected);
}

TEST(MeanSquaredError, ReducesAsAsked) {
  ddx::testing::expect_reductions([](Reduction reduction) {
    return mean_squared_error(given.predicted, given.expected, reduction);
  });
}

TEST(MeanSquaredError, HasItsValueAndGradient) {
  const Tensor<double> expected{{1.0, 2.0}, {3.0, 4.0}};
  const Tensor<double> predicted{{1.0, 4.0}, {2.0, 4.0}};
  // (0 + 4 + 1 + 0) / 4; the gradient is 2 (predicted - expected) / 4.
  const auto [value, slope] = value_with_gradient(
      [&](const Tensor<double>& p) { return mean_squared_error(p, expected); }, predicted);
  EXPECT_DOUBLE_EQ(value.item(), 1.25);
  EXPECT_EQ(slope, (Tensor<double>{{0.0, 1.0}, {-0.5, 0.0}}));
}

TEST(MeanSquaredError, OfOneElementAndOfNone) {
  EXPECT_EQ(mean_squared_error(Tensor<float>{3.0F}, Tensor<float>{1.0F}).item(), 4.0F);
  const Tensor<float> none(Shape{0}, {});
  EXPECT_TRUE(std::isnan(mean_squared_error(none, none).item()));
  EXPECT_EQ(mean_squared_error(none, none, Reduction::Sum).item(), 0.0F);
}

TEST(MeanSquaredError, ShapesDoNotBroadcast) {
  EXPECT_EQ(ddx::testing::thrown<UsageError>(
                [] { (void)mean_squared_error(Tensor<double>{1.0, 2.0}, Tensor<double>{1.0}); }),
            "mean_squared_error: predicted has shape [2], expected has shape [1] (here)");
}

}  // namespace mean_squared_error_test
}  // namespace ddx::nn
