#include "ddx/tensor/normalization.h"

#include "ddx/ad/tangent.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/closeness.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <gtest/gtest.h>
#include <tuple>

namespace ddx {
namespace {

using testing::thrown;

// Columns (1, 3) and (10, 30): means 2 and 20, variances 1 and 100.
TEST(BatchNorm, NormalisesEachChannel) {
  const Tensor<double> x{{1, 10}, {3, 30}};
  const auto y = batch_norm_training(x, Tensor<double>{1, 2}, Tensor<double>{0, 5}, {.epsilon = 0});
  EXPECT_TRUE(all_close(y.output, Tensor<double>{{-1, 3}, {1, 7}}));
  EXPECT_TRUE(all_close(y.mean, Tensor<double>{2, 20}));
  EXPECT_TRUE(all_close(y.variance, Tensor<double>{1, 100}));
  const auto again = batch_norm_inference(x, Tensor<double>{1, 2}, Tensor<double>{0, 5}, y.mean,
                                          y.variance, {.epsilon = 0});
  EXPECT_TRUE(all_close(again, y.output));
}

TEST(BatchNorm, TheStatisticsCarryNoGradient) {
  static_assert(Differentiable<BatchNormalized<float>>);
  BatchNormalized<float>::TangentVector tangent;
  tangent.output = Tensor<float>{1};
  EXPECT_EQ(std::tuple_size_v<decltype(tangent.ddx_fields())>, 1U);
}

TEST(BatchNorm, NamesWhatDoesNotFit) {
  const auto x = zeros<float>({4, 3});
  const auto three = ones<float>({3});
  const auto two = ones<float>({2});
  EXPECT_EQ(
      thrown<UsageError>([&] { (void)batch_norm_training(x, two, three); }),
      "batch_norm_training: shapes [4, 3] and [2] do not fit: one value per channel is [3] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)batch_norm_training(Tensor<float>(1), three, three); }),
            "batch_norm_training: a scalar has no channels; shape [] (here)");
  EXPECT_EQ(
      thrown<UsageError>([&] { (void)batch_norm_training(zeros<float>({0, 3}), three, three); }),
      "batch_norm_training: there is no element to take statistics of; shape [0, 3] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)batch_norm_inference(x, three, three, three, two); }),
            "batch_norm_inference: shapes [4, 3] and [2] do not fit: one value per channel is [3] "
            "(here)");
}

// Rows (1, 3) and (10, 30): means 2 and 20, variances 1 and 100.
TEST(LayerNorm, NormalisesEachRow) {
  const Tensor<double> x{{1, 3}, {10, 30}};
  EXPECT_TRUE(all_close(layer_norm(x, Tensor<double>{1, 2}, Tensor<double>{0, 5}, {.epsilon = 0}),
                        Tensor<double>{{-1, 7}, {-1, 7}}));
  // sqrt(1 + 3) halves the first row.
  EXPECT_TRUE(all_close(
      layer_norm(Tensor<double>{1, 3}, Tensor<double>{1, 1}, Tensor<double>{0, 0}, {.epsilon = 3}),
      Tensor<double>{-0.5, 0.5}));
  EXPECT_EQ(layer_norm(zeros<float>({0, 3}), ones<float>({3}), ones<float>({3})).shape(),
            Shape({0, 3}));
}

TEST(LayerNorm, NamesWhatDoesNotFit) {
  const auto x = zeros<float>({4, 3});
  const auto three = ones<float>({3});
  const auto two = ones<float>({2});
  EXPECT_EQ(thrown<UsageError>([&] { (void)layer_norm(x, three, two); }),
            "layer_norm: shapes [4, 3] and [2] do not fit: one value per channel is [3] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)layer_norm(Tensor<float>(1), three, three); }),
            "layer_norm: a scalar has no channels; shape [] (here)");
}

}  // namespace
}  // namespace ddx
