#include "ddx/nn/losses/sigmoid_cross_entropy.h"

#include "ddx/core/error.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_loss.h"
#include "tests/support/thrown.h"

#include <gtest/gtest.h>

namespace ddx::nn {
namespace sigmoid_cross_entropy_test {

using ddx::testing::LossOperands;

const LossOperands given;

TEST(SigmoidCrossEntropy, HasTheRecordedValueAndGradient) {
  ddx::testing::expect_recorded_loss(
      "sigmoid_cross_entropy",
      [](const Tensor<double>& x) {
        return sigmoid_cross_entropy(x, given.expected_probabilities);
      },
      given.predicted);
}

TEST(SigmoidCrossEntropy, GradientsAgreeWithDifferences) {
  ddx::testing::expect_differences(
      [](const Tensor<double>& x, const Tensor<double>& y) { return sigmoid_cross_entropy(x, y); },
      given.predicted, given.expected_probabilities);
}

TEST(SigmoidCrossEntropy, ReducesAsAsked) {
  ddx::testing::expect_reductions([](Reduction reduction) {
    return sigmoid_cross_entropy(given.predicted, given.expected_probabilities, reduction);
  });
}

TEST(SigmoidCrossEntropy, LargeLogitsDoNotOverflow) {
  ddx::testing::expect_recorded_loss(
      "sigmoid_cross_entropy_large",
      [](const Tensor<double>& x) { return sigmoid_cross_entropy(x, given.bits); }, given.large);
}

TEST(SigmoidCrossEntropy, ShapesDoNotBroadcast) {
  EXPECT_EQ(ddx::testing::thrown<UsageError>(
                [] { (void)sigmoid_cross_entropy(Tensor<double>{1.0, 2.0}, Tensor<double>{1.0}); }),
            "sigmoid_cross_entropy: logits has shape [2], labels has shape [1] (here)");
}

}  // namespace sigmoid_cross_entropy_test
}  // namespace ddx::nn
