#include "ddx/nn/losses/triplet_loss.h"

#include "ddx/ad/operators.h"
#include "ddx/core/error.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_loss.h"
#include "tests/support/thrown.h"

#include <cmath>
#include <gtest/gtest.h>

namespace ddx::nn {
namespace triplet_loss_test {

using ddx::testing::LossOperands;

const LossOperands given;

TEST(TripletLoss, HasTheRecordedValueAndGradient) {
  ddx::testing::expect_recorded_loss(
      "triplet",
      [](const Tensor<double>& x) {
        return triplet_loss(x, given.near, given.far, {.margin = 0.5});
      },
      given.anchor);
}

TEST(TripletLoss, GradientsAgreeWithDifferences) {
  ddx::testing::expect_differences(
      [](const Tensor<double>& x, const Tensor<double>& y) {
        return triplet_loss(given.anchor, x, y, {.margin = 2});
      },
      given.near, given.far);
}

TEST(TripletLoss, EqualRowsHaveAFiniteGradient) {
  const auto slope =
      gradient([](const Tensor<double>& x) { return triplet_loss(x, given.anchor, given.far); },
               given.anchor);
  for (const double element : slope.elements()) {
    EXPECT_TRUE(std::isfinite(element));
  }
}

TEST(TripletLoss, ReducesAsAsked) {
  ddx::testing::expect_reductions([](Reduction reduction) {
    return triplet_loss(given.anchor, given.near, given.far, {.reduction = reduction});
  });
}

TEST(TripletLoss, ImpossibleOperandsAreAnError) {
  using ddx::testing::thrown;
  EXPECT_EQ(
      thrown<UsageError>([] { (void)triplet_loss(given.anchor, given.near, Tensor<double>{1.0}); }),
      "triplet_loss: anchor has shape [2, 2], negative has shape [1] (here)");
  EXPECT_EQ(thrown<UsageError>([] {
              const Tensor<double> row{1.0};
              (void)triplet_loss(row, row, row);
            }),
            "triplet_loss: anchor has shape [1], rank 2 is required (here)");
  EXPECT_EQ(thrown<UsageError>(
                [] { (void)triplet_loss(given.anchor, given.near, given.far, {.margin = -1}); }),
            "triplet_loss: margin is -1, expected a finite number of at least 0");
}

}  // namespace triplet_loss_test
}  // namespace ddx::nn
