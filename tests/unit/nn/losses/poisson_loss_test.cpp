#include "ddx/nn/losses/poisson_loss.h"

#include "ddx/ad/operators.h"
#include "ddx/core/error.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_loss.h"
#include "tests/support/thrown.h"

#include <gtest/gtest.h>

namespace ddx::nn {
namespace poisson_loss_test {

using ddx::testing::LossOperands;

const LossOperands given;

TEST(PoissonLoss, HasTheRecordedValueAndGradient) {
  ddx::testing::expect_recorded_loss(
      "poisson", [](const Tensor<double>& x) { return poisson_loss(x, given.expected_positive); },
      given.positive);
}

TEST(PoissonLoss, GradientsAgreeWithDifferences) {
  ddx::testing::expect_differences(
      [](const Tensor<double>& x, const Tensor<double>& y) { return poisson_loss(x, y); },
      given.positive, given.expected_positive);
}

TEST(PoissonLoss, ReducesAsAsked) {
  ddx::testing::expect_reductions([](Reduction reduction) {
    return poisson_loss(given.positive, given.expected_positive, reduction);
  });
}

TEST(PoissonLoss, NothingExpectedWhereNothingIsPredictedCostsNothing) {
  const auto [value, slope] = value_with_gradient(
      [](const Tensor<double>& p) { return poisson_loss(p, Tensor<double>{0.0}); },
      Tensor<double>{0.0});
  EXPECT_EQ(value.item(), 0);
  EXPECT_EQ(slope, Tensor<double>{1.0});
}

TEST(PoissonLoss, ShapesDoNotBroadcast) {
  EXPECT_EQ(ddx::testing::thrown<UsageError>(
                [] { (void)poisson_loss(Tensor<double>{1.0, 2.0}, Tensor<double>{1.0}); }),
            "poisson_loss: predicted has shape [2], expected has shape [1] (here)");
}

}  // namespace poisson_loss_test
}  // namespace ddx::nn
