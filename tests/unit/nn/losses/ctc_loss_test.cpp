#include "ddx/nn/losses/ctc_loss.h"

#include "ddx/ad/operators.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/softmax.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/model_gradient.h"
#include "tests/support/recorded_layers.h"
#include "tests/support/thrown.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <string>

namespace ddx::nn {
namespace ctc_loss_test {

using ddx::testing::expect_recorded;
using ddx::testing::numbers;
using ddx::testing::thrown;
using Labels = Tensor<std::int32_t>;

const Labels targets{{1, 1, 2}, {3, 0, 0}, {0, 0, 0}, {2, 3, 2}};
const CTCLengths lengths{.inputs = {6, 4, 5, 3}, .targets = {3, 1, 0, 3}};

Labels label(std::int32_t number) {
  return Labels(Shape{1, 1}, {number});
}

void expect_recorded_ctc(const std::string& name, const Tensor<double>& scores,
                         const Labels& labels, const CTCLengths& counts,
                         const CTCOptions& options) {
  const auto y = ctc_loss(log_softmax(scores), labels, counts, options);
  expect_recorded(name, y);
  const auto weights = numbers(y.shape(), 50);
  expect_recorded(name + ".x",
                  gradient(
                      [&](const Tensor<double>& x) {
                        return sum(ctc_loss(log_softmax(x), labels, counts, options) * weights);
                      },
                      scores));
}

TEST(CTCLoss, AgreesWithPyTorch) {
  const auto scores = numbers({4, 6, 4}, 1);
  expect_recorded_ctc("ctc_none", scores, targets, lengths, {.reduction = Reduction::None});
  expect_recorded_ctc("ctc_sum", scores, targets, lengths, {.reduction = Reduction::Sum});
  expect_recorded_ctc("ctc_mean", scores, targets, lengths, {});
  expect_recorded_ctc("ctc_last_blank", numbers({2, 5, 4}, 1), Labels{{0, 1, 0}, {2, 2, 0}},
                      {.inputs = {5, 4}, .targets = {3, 2}},
                      {.blank = 3, .reduction = Reduction::None});
  expect_recorded_ctc("ctc_infeasible", numbers({3, 6, 4}, 1),
                      Labels{{1, 1, 2}, {1, 2, 3}, {1, 2, 0}},
                      {.inputs = {3, 2, 4}, .targets = {3, 3, 2}}, {.infinite_as_zero = true});
}

// Two steps, one label a: the alignments are aa, a-, -a with probabilities 0.06, 0.04 and 0.54.
TEST(CTCLoss, IsTheSumOfAllAlignments) {
  const Tensor<double> probabilities(Shape{1, 2, 2}, {0.9, 0.1, 0.4, 0.6});
  const CTCLengths one{.inputs = {2}, .targets = {1}};
  EXPECT_NEAR(ctc_loss(log(probabilities), label(1), one).item(), -std::log(0.06 + 0.04 + 0.54),
              1e-15);
}

TEST(CTCLoss, GradientByTheLogarithmsAgreesWithDifferences) {
  const auto logarithms = log_softmax(random_normal<double>(RandomKey(1), {4, 6, 4}));
  const auto loss = [&](const Tensor<double>& x) {
    return ctc_loss(x, targets, lengths, {.reduction = Reduction::Sum});
  };
  const auto slope = gradient(loss, logarithms);
  for (std::size_t i = 0; i < logarithms.count(); i += 5) {
    const double above = loss(ddx::testing::moved(logarithms, i, 1e-5)).item();
    const double below = loss(ddx::testing::moved(logarithms, i, -1e-5)).item();
    EXPECT_NEAR(slope.elements()[i], (above - below) / 2e-5, 1e-8) << i;
  }
}

TEST(CTCLoss, LabelsThatDoNotFitHaveAnInfiniteLossAndNoGradient) {
  const auto scores = log_softmax(numbers({2, 3, 3}, 1));
  const Labels repeated{{1, 1}, {1, 2}};  // Equal neighbours need a blank between: three steps.
  const CTCLengths two{.inputs = {2, 2}, .targets = {2, 2}};
  const auto losses = ctc_loss(scores, repeated, two, {.reduction = Reduction::None});
  EXPECT_EQ(losses.elements()[0], std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isfinite(losses.elements()[1]));
  const auto slope = gradient(
      [&](const Tensor<double>& x) {
        return sum(ctc_loss(x, repeated, two, {.reduction = Reduction::None}));
      },
      scores);
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_EQ(slope.elements()[i], 0) << i;
  }
  EXPECT_NE(slope.elements()[10], 0);
}

TEST(CTCLoss, NoStepsHoldNoLabels) {
  const auto none = zeros<double>({2, 0, 3});
  const CTCLengths empty{.inputs = {0, 0}, .targets = {0, 1}};
  const auto losses =
      ctc_loss(none, Labels(Shape{2, 1}, {0, 1}), empty, {.reduction = Reduction::None});
  EXPECT_EQ(losses, (Tensor<double>{0, std::numeric_limits<double>::infinity()}));
}

TEST(CTCLoss, AnImpossibleClassIsNotTaken) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  const Tensor<double> logarithms(Shape{1, 2, 2}, {-inf, 0, 0, -inf});
  const CTCLengths one{.inputs = {2}, .targets = {1}};
  const auto loss = [&](const Tensor<double>& x) { return ctc_loss(x, label(1), one); };
  EXPECT_EQ(loss(logarithms).item(), 0);
  EXPECT_EQ(gradient(loss, logarithms), Tensor<double>(Shape{1, 2, 2}, {0, -1, -1, 0}));
}

TEST(CTCLoss, EveryDeviceAgrees) {
  const auto logarithms = log_softmax(random_normal<double>(RandomKey(1), {4, 6, 4}));
  const auto there = ctc_loss(logarithms.to(Device::naive()), targets, lengths);
  EXPECT_EQ(there.device(), Device::naive());
  EXPECT_NEAR(there.item(), ctc_loss(logarithms, targets, lengths).item(), 1e-14);
}

TEST(CTCLoss, MistakesAreAnError) {
  const auto x = zeros<float>({1, 4, 3});
  const CTCLengths good{.inputs = {4}, .targets = {1}};
  EXPECT_EQ(thrown<UsageError>([&] { (void)ctc_loss(x, Labels{1}, good); }),
            "ctc_loss: log_probabilities [1, 4, 3] and targets [1] are not [n, steps, classes] and "
            "[n, labels] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)ctc_loss(x, label(1), good, {.blank = 3}); }),
            "ctc_loss: blank 3 is not in [0, 3) (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)ctc_loss(x, label(0), good); }),
            "ctc_loss: label 0 is not in [0, 3) or is the blank, 0 (here)");
  EXPECT_EQ(
      thrown<UsageError>([&] { (void)ctc_loss(x, label(1), {.inputs = {5}, .targets = {1}}); }),
      "ctc_loss: input length 5 is not in [0, 4] (here)");
  EXPECT_EQ(
      thrown<UsageError>([&] { (void)ctc_loss(x, label(1), {.inputs = {4}, .targets = {1, 1}}); }),
      "ctc_loss: target lengths have shape [2], one for each of 1 samples is required (here)");
}

}  // namespace ctc_loss_test
}  // namespace ddx::nn
