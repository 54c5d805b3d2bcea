#include "ddx/models/blocks/routed_dense.h"

#include "ddx/ad/operators.h"
#include "ddx/core/error.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <cstdint>
#include <gtest/gtest.h>

namespace ddx::models {
namespace routed_dense_test {

using ddx::testing::thrown;

/// Scores whose softmax is 1/7 2/7 4/7 and 4/7 1/7 2/7.
Tensor<double> two_places() {
  return log(Tensor<double>{{1, 2, 4}, {4, 1, 2}});
}

// Of two experts: uses 1/2, 1/2, 1 and mean probabilities 5/14, 3/14, 6/14, so 3 (5 + 3 + 12) / 28;
// of one: uses 1/2, 0, 1/2, so 3 (5 + 6) / 28. Of all: 3. transformers 5.24, which computes in f32,
// has 2.1428571, 1.1785715 and 3 (load_balancing_loss_func).
TEST(BalanceLoss, IsThatOfTransformers) {
  EXPECT_NEAR(balance_loss(two_places(), 2).item(), 15.0 / 7, 1e-15);
  EXPECT_NEAR(balance_loss(two_places(), 1).item(), 33.0 / 28, 1e-15);
  EXPECT_NEAR(balance_loss(two_places(), 3).item(), 3, 1e-15);
  const auto batch = reshape(two_places(), {2, 1, 3});
  EXPECT_NEAR(balance_loss(batch, 2).item(), 15.0 / 7, 1e-15);
  EXPECT_NEAR(balance_loss(cast<float>(batch), 2).item(), 15.0F / 7, 1e-6F);
}

TEST(BalanceLoss, OfEquallyLikelyExpertsIsTheNumberThatIsUsed) {
  EXPECT_NEAR(balance_loss(Tensor<double>{{0, 0, 0, 0}}, 3).item(), 3, 1e-15);
  EXPECT_EQ(balance_loss(Tensor<double>{{5}}, 1).item(), 1);
}

// With probabilities p of the first place, uses u and m = 2 places: the slope by score i is
// 3 / 2 p_i (u_i - sum u p); there the sum is (1/2 1 + 1/2 2 + 4) / 7 = 11 / 14.
TEST(BalanceLoss, HasTheGradientOfTheProbabilities) {
  const auto slope =
      gradient([](const Tensor<double>& x) { return balance_loss(x, 2); }, two_places()).values();
  EXPECT_NEAR(slope[0], 1.5 / 7 * (0.5 - 11.0 / 14), 1e-15);
  EXPECT_NEAR(slope[1], 3.0 / 7 * (0.5 - 11.0 / 14), 1e-15);
  EXPECT_NEAR(slope[2], 6.0 / 7 * (1 - 11.0 / 14), 1e-15);
}

TEST(BalanceLoss, MistakesAreErrors) {
  const auto error = [](const Tensor<float>& scores, std::int64_t used) {
    return thrown<UsageError>([&] { (void)balance_loss(scores, used); });
  };
  EXPECT_EQ(error(Tensor<float>{{1, 2}}, 3),
            "balance_loss: used is 3, it is not in [1, 2], the number of experts (here)");
  EXPECT_EQ(error(Tensor<float>{{1, 2}}, 0),
            "balance_loss: used is 0, it is not in [1, 2], the number of experts (here)");
  EXPECT_EQ(error(Tensor<float>(1.0F), 1),
            "balance_loss: shape [] has no scores of experts (here)");
  EXPECT_EQ(error(zeros<float>({0, 2}), 1),
            "balance_loss: shape [0, 2] has no scores of experts (here)");
}

}  // namespace routed_dense_test
}  // namespace ddx::models
