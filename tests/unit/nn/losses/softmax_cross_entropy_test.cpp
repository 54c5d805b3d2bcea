#include "ddx/nn/losses/softmax_cross_entropy.h"

#include "ddx/ad/operators.h"
#include "ddx/core/error.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/stacking.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_loss.h"
#include "tests/support/thrown.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

namespace ddx::nn {
namespace softmax_cross_entropy_test {

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

// As torch.nn.functional.cross_entropy(..., ignore_index=-100): the losses of two classes with
// logits 0 and 0 are log 2, and those of log 3 and 0 are log(4/3) and log 4.
TEST(SoftmaxCrossEntropy, RowsWithTheIgnoredLabelDoNotCount) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const double log3 = std::log(3.0);
  const Tensor<double> logits{{0.0, 0.0}, {nan, inf}, {log3, 0.0}, {-inf, -inf}};
  const auto expect = [&](const auto& labels) {
    const auto loss = [&](Reduction reduction) {
      return value_with_gradient(
          [&, reduction](const Tensor<double>& x) {
            return sum(
                softmax_cross_entropy(x, labels, {.reduction = reduction, .ignore_index = -100}));
          },
          logits);
    };
    const auto mean = loss(Reduction::Mean);
    EXPECT_NEAR(mean.value.item(), (std::log(2.0) + std::log(4.0)) / 2, 1e-15);
    const auto slopes = mean.gradient.values();
    const std::vector<double> expected{-0.25, 0.25, 0, 0, 0.375, -0.375, 0, 0};
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_NEAR(slopes[i], expected[i], 1e-15) << i;
    }
    EXPECT_NEAR(loss(Reduction::Sum).value.item(), std::log(2.0) + std::log(4.0), 1e-15);
    const auto each =
        softmax_cross_entropy(logits, labels, {.reduction = Reduction::None, .ignore_index = -100});
    EXPECT_EQ(each.values()[1], 0);
    EXPECT_EQ(each.values()[3], 0);
  };
  expect(Tensor<std::int32_t>{0, -100, 1, -100});
  expect(Tensor<std::int64_t>{0, -100, 1, -100});
}

TEST(SoftmaxCrossEntropy, IgnoredRowsDoNotCountWithSmoothedLabelsEither) {
  const Tensor<double> all{{0.5, -1.0, 2.0}, {1.0, 2.0, 3.0}, {0.0, 1.0, 0.0}};
  const Tensor<double> counted{{0.5, -1.0, 2.0}, {0.0, 1.0, 0.0}};
  EXPECT_NEAR(
      softmax_cross_entropy(all, Tensor<std::int64_t>{2, 1, 0},
                            {.label_smoothing = 0.2, .ignore_index = 1})
          .item(),
      softmax_cross_entropy(counted, Tensor<std::int64_t>{2, 0}, {.label_smoothing = 0.2}).item(),
      1e-15);
}

TEST(SoftmaxCrossEntropy, WhereNoRowCountsTheMeanIsZeroAndSoIsTheGradient) {
  const auto [value, slope] = value_with_gradient(
      [](const Tensor<double>& x) {
        return softmax_cross_entropy(x, Tensor<std::int32_t>{7, 7}, {.ignore_index = 7});
      },
      Tensor<double>{{1.0, 2.0}, {3.0, 4.0}});
  EXPECT_EQ(value.item(), 0);
  EXPECT_EQ(slope, (Tensor<double>{{0.0, 0.0}, {0.0, 0.0}}));
}

// 3000 losses of log 2 sum up to 2079.4, which f16 holds, but 60,000 of log 65,000 do not.
TEST(SoftmaxCrossEntropy, TheMeanOfSixteenBitLossesThatCountDoesNotOverflow) {
  const auto logits =
      concatenate(std::vector{zeros<Half>({60'000, 1}), full({60'000, 1}, Half(11.0F))}, 1);
  const auto loss =
      softmax_cross_entropy(logits, zeros<std::int32_t>({60'000}), {.ignore_index = -100});
  EXPECT_NEAR(static_cast<float>(loss.item()), 11.0F, 0.01F);
}

TEST(SoftmaxCrossEntropy, LabelsThatCountMustBeClasses) {
  EXPECT_EQ(ddx::testing::thrown<UsageError>([] {
              (void)softmax_cross_entropy(Tensor<double>{{1.0, 2.0}, {3.0, 4.0}},
                                          Tensor<std::int64_t>{-100, 2}, {.ignore_index = -100})
                  .item();
            }),
            "softmax_cross_entropy: label 2 at position 1 is not in [0, 2) (here)");
  EXPECT_EQ(ddx::testing::thrown<UsageError>([] {
              (void)softmax_cross_entropy(Tensor<double>{{1.0, 2.0}, {3.0, 4.0}},
                                          Tensor<std::int64_t>{0}, {.ignore_index = 0});
            }),
            "softmax_cross_entropy: labels have shape [1], one for each row of [2, 2] is required "
            "(here)");
}

}  // namespace softmax_cross_entropy_test
}  // namespace ddx::nn
