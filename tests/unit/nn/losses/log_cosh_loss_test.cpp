#include "ddx/nn/losses/log_cosh_loss.h"

#include "ddx/ad/operators.h"
#include "ddx/core/error.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_loss.h"
#include "tests/support/thrown.h"

#include <cmath>
#include <gtest/gtest.h>

namespace ddx::nn {
namespace log_cosh_loss_test {

using ddx::testing::LossOperands;

const LossOperands given;

TEST(LogCoshLoss, HasTheRecordedValueAndGradient) {
  ddx::testing::expect_recorded_loss(
      "log_cosh", [](const Tensor<double>& x) { return log_cosh_loss(x, given.expected); },
      given.predicted);
}

TEST(LogCoshLoss, GradientsAgreeWithDifferences) {
  ddx::testing::expect_differences(
      [](const Tensor<double>& x, const Tensor<double>& y) { return log_cosh_loss(x, y); },
      given.predicted, given.expected);
}

TEST(LogCoshLoss, ReducesAsAsked) {
  ddx::testing::expect_reductions([](Reduction reduction) {
    return log_cosh_loss(given.predicted, given.expected, reduction);
  });
}

TEST(LogCoshLoss, LargeErrorsDoNotOverflow) {
  const auto [value, slope] = value_with_gradient(
      [](const Tensor<double>& p) {
        return log_cosh_loss(p, Tensor<double>{0.0, 0.0, 0.0}, Reduction::Sum);
      },
      Tensor<double>{1e6, -1e6, 0.0});
  EXPECT_DOUBLE_EQ(value.item(), 2e6 - 2 * std::log(2.0));
  EXPECT_EQ(slope, (Tensor<double>{1.0, -1.0, 0.0}));
}

TEST(LogCoshLoss, ShapesDoNotBroadcast) {
  EXPECT_EQ(ddx::testing::thrown<UsageError>(
                [] { (void)log_cosh_loss(Tensor<double>{1.0, 2.0}, Tensor<double>{1.0}); }),
            "log_cosh_loss: predicted has shape [2], expected has shape [1] (here)");
}

}  // namespace log_cosh_loss_test
}  // namespace ddx::nn
