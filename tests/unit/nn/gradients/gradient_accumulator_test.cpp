#include "ddx/nn/gradients/gradient_accumulator.h"

#include "ddx/ad/operators.h"
#include "ddx/core/error.h"
#include "ddx/tensor/closeness.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_optimizer.h"
#include "tests/support/small_training.h"

#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <span>
#include <string>
#include <vector>

namespace ddx::nn {
namespace gradient_accumulator_test {

using ddx::testing::message_of;
using ddx::testing::RecordedModel;

TEST(GradientAccumulator, PartsOfABatchGiveTheGradientOfTheWhole) {
  struct Line {
    Tensor<double> slope = Tensor<double>(Shape{2, 1}, {0.5, -0.25});
    Tensor<double> offset{0.125};

    DDX_DIFFERENTIABLE(Line, slope, offset)
  };
  const Tensor<double> x{{1.0, 2.0}, {3.0, -1.0}, {0.5, 0.25}};
  const Tensor<double> y(Shape{3, 1}, {1.0, 2.0, 3.0});
  const auto gradient_of = [&](std::int64_t from, std::int64_t to, const Line& line) {
    const auto part_of_x = slice(x, {.start = {from, 0}, .stop = {to, 2}});
    const auto part_of_y = slice(y, {.start = {from, 0}, .stop = {to, 1}});
    return gradient(
        [&](const Line& l) {
          return mean_squared_error(matmul(part_of_x, l.slope) + l.offset, part_of_y);
        },
        line);
  };
  const Line line;
  GradientAccumulator accumulator(line);
  accumulator.add(gradient_of(0, 2, line), 2);
  accumulator.add(gradient_of(2, 3, line));
  EXPECT_EQ(accumulator.weight(), 3);
  const auto mean = accumulator.take_mean();
  const auto whole = gradient_of(0, 3, line);
  EXPECT_TRUE(all_close(mean.slope, whole.slope));
  EXPECT_TRUE(all_close(mean.offset, whole.offset));
}

TEST(GradientAccumulator, IsEmptyAfterItsMeanWasTaken) {
  const RecordedModel model;
  GradientAccumulator accumulator(model);
  RecordedModel::TangentVector gradient{};
  gradient.number = 3;
  gradient.vector = Tensor<double>{1.0, 2.0, 3.0};
  accumulator.add(gradient);
  accumulator.add(gradient);
  const auto mean = accumulator.take_mean();
  EXPECT_EQ(mean.number, 3);
  EXPECT_EQ(mean.vector, gradient.vector);
  EXPECT_EQ(mean.matrix, zeros_like(model.matrix));
  EXPECT_EQ(accumulator.weight(), 0);
  EXPECT_EQ(message_of<UsageError>([&] { (void)accumulator.take_mean(); }),
            "GradientAccumulator: the mean of no gradient was asked for");
  accumulator.add(gradient);
  EXPECT_EQ(accumulator.take_mean().vector, gradient.vector);
}

TEST(GradientAccumulator, WhatDoesNotFitChangesNothing) {
  const RecordedModel model;
  GradientAccumulator accumulator(model);
  RecordedModel::TangentVector gradient{};
  gradient.vector = Tensor<double>{1.0, 2.0, 3.0};
  accumulator.add(gradient);
  gradient.matrix = Tensor<double>{1.0};
  EXPECT_EQ(
      message_of<UsageError>([&] { accumulator.add(gradient); }),
      "GradientAccumulator: gradient of matrix has shape [1], its parameter has shape [2, 3]");
  EXPECT_EQ(message_of<UsageError>([&] { accumulator.add({}, 0); }),
            "GradientAccumulator: weight is 0, expected a finite number above 0");
  EXPECT_EQ(accumulator.take_mean().vector, gradient.vector);
}

TEST(GradientAccumulator, ItsStateHasNames) {
  const RecordedModel model;
  GradientAccumulator accumulator(model);
  EXPECT_EQ(ddx::testing::state_names(accumulator),
            (std::vector<std::string>{"sum.vector", "sum.matrix", "sum.number", "weight"}));
}

}  // namespace gradient_accumulator_test
}  // namespace ddx::nn
