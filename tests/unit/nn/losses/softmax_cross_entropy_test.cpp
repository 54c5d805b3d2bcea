#include "ddx/nn/losses/softmax_cross_entropy.h"

#include "ddx/ad/operators.h"
#include "ddx/core/error.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_loss.h"
#include "tests/support/thrown.h"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>

namespace ddx::nn {
namespace {

using ddx::testing::LossOperands;

const LossOperands given;

TEST(SoftmaxCrossEntropy, HasTheRecordedValueAndGradient) {
  const auto expect_of_labels = [](const char* name, const SoftmaxCrossEntropyOptions& options) {
    ddx::testing::expect_recorded_loss(
        name,
        [&](const Tensor<double>& x) { return softmax_cross_entropy(x, given.labels, options); },
        given.predicted);
  };
  expect_of_labels("softmax_cross_entropy_labels", {});
  expect_of_labels("softmax_cross_entropy_labels_smoothed", {.label_smoothing = 0.2});
  const auto expect = [](const char* name, const SoftmaxCrossEntropyOptions& options,
                         const Tensor<double>& at) {
    ddx::testing::expect_recorded_loss(
        name,
        [&](const Tensor<double>& x) {
          return softmax_cross_entropy(x, given.expected_probabilities, options);
        },
        at);
  };
  expect("softmax_cross_entropy_probabilities", {}, given.predicted);
  expect("softmax_cross_entropy_probabilities_smoothed", {.label_smoothing = 0.2}, given.predicted);
  expect("softmax_cross_entropy_probabilities_large", {}, given.large);
}

TEST(SoftmaxCrossEntropy, GradientsAgreeWithDifferences) {
  ddx::testing::expect_differences(
      [](const Tensor<double>& x, const Tensor<double>& y) {
        return nn::softmax_cross_entropy(x, y);
      },
      given.predicted, given.probabilities);
}

TEST(SoftmaxCrossEntropy, ReducesAsAsked) {
  ddx::testing::expect_reductions([](Reduction reduction) {
    return softmax_cross_entropy(given.predicted, given.probabilities, {.reduction = reduction});
  });
}

TEST(SoftmaxCrossEntropy, LabelsReduceAsAsked) {
  for (const double smoothing : {0.0, 0.25}) {
    ddx::testing::expect_reductions([&](Reduction reduction) {
      return softmax_cross_entropy(given.predicted, given.labels,
                                   {.label_smoothing = smoothing, .reduction = reduction});
    });
  }
}

TEST(SoftmaxCrossEntropy, AMaskedClassThatIsNotExpectedDoesNotCount) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  const auto [value, slope] = value_with_gradient(
      [](const Tensor<double>& x) {
        return softmax_cross_entropy(x, Tensor<double>{{1.0, 0.0, 0.0}});
      },
      Tensor<double>{{1.0, -inf, 1.0}});
  EXPECT_DOUBLE_EQ(value.item(), std::log(2.0));
  EXPECT_EQ(slope, (Tensor<double>{{-0.5, 0.0, 0.5}}));
}

TEST(SoftmaxCrossEntropy, ImpossibleOperandsAreAnError) {
  using ddx::testing::thrown;
  EXPECT_EQ(thrown<UsageError>([] {
              (void)softmax_cross_entropy(given.predicted, given.probabilities,
                                          {.label_smoothing = 1});
            }),
            "softmax_cross_entropy: label_smoothing is 1, expected 0 <= label_smoothing < 1");
  EXPECT_EQ(thrown<UsageError>([] {
              (void)softmax_cross_entropy(given.predicted, Tensor<std::int32_t>{0, 3},
                                          {.label_smoothing = 0.5});
            }),
            "softmax_cross_entropy: label 3 is not in [0, 3) (here)");
}

TEST(SoftmaxCrossEntropy, ShapesDoNotBroadcast) {
  EXPECT_EQ(ddx::testing::thrown<UsageError>(
                [] { (void)softmax_cross_entropy(Tensor<double>{1.0, 2.0}, Tensor<double>{1.0}); }),
            "softmax_cross_entropy: logits has shape [2], probabilities has shape [1] (here)");
}

}  // namespace
}  // namespace ddx::nn
