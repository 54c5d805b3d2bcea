#include "ddx/tensor/normalization.h"

#include "ddx/ad/tangent.h"
#include "ddx/ad/vjp.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/closeness.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <gtest/gtest.h>
#include <tuple>
#include <utility>

namespace ddx {
namespace normalization_test {

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

// (1, -1, 1, -1) 1e30 has the variance 1e60, which f32 does not hold. With the weights 1, 2, 3, 4
// of y, (w - 2.5 - z mean(w z)) / 1e30 is the gradient, mean(w z) = -1/2.
template <class Normalize>
void expect_unit_signs(const Shape& shape, const Normalize& normalize) {
  for (const Device device : {Device::naive(), Device::cpu(), Device::lazy()}) {
    const Tensor<float> x(shape, {1e30F, -1e30F, 1e30F, -1e30F}, device);
    const Tensor<float> weights(shape, {1, 2, 3, 4}, device);
    const auto [y, dx] = normalize(x, weights);
    EXPECT_TRUE(all_close(y, Tensor<float>(shape, {1, -1, 1, -1}, device))) << to_string(device);
    EXPECT_TRUE(
        all_close(dx * 1e30F, Tensor<float>(shape, {-1, -1, 1, 1}, device), {.relative = 1e-5}))
        << to_string(device);
  }
}

TEST(LayerNorm, SquaresMayLeaveTheRangeOfTheType) {
  expect_unit_signs({1, 4}, [](const Tensor<float>& x, const Tensor<float>& weights) {
    const auto scale = ones<float>({4}, x.device());
    const auto result = layer_norm_vjp(x, scale, zeros_like(scale), {}, {});
    return std::pair(result.value, std::get<0>(result.pullback(weights, Wanted<3>::all())));
  });
}

TEST(BatchNorm, SquaresMayLeaveTheRangeOfTheType) {
  expect_unit_signs({4, 1}, [](const Tensor<float>& x, const Tensor<float>& weights) {
    const auto scale = ones<float>({1}, x.device());
    const auto result = batch_norm_training_vjp(x, scale, zeros_like(scale), {}, {});
    BatchNormalized<float>::TangentVector dy;
    dy.output = weights;
    return std::pair(result.value.output, std::get<0>(result.pullback(dy)));
  });
}

// (256, 258): the mean 257 is no number of bf16, the variance 1.
TEST(LayerNorm, TheStatisticsOf16BitElementsAreNotRounded) {
  for (const Device device : {Device::naive(), Device::cpu(), Device::lazy()}) {
    const auto x = cast<BFloat16>(Tensor<float>({1, 2}, {256, 258}, device));
    const auto scale = ones<BFloat16>({2}, device);
    const auto result = layer_norm_vjp(x, scale, zeros_like(scale), {.epsilon = 0}, {});
    const auto [dx, dscale, doffset] = result.pullback(scale, Wanted<3>::all());
    EXPECT_TRUE(all_close(cast<float>(dscale), Tensor<float>({2}, {-1, 1}, device)))
        << to_string(device);
  }
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

}  // namespace normalization_test
}  // namespace ddx
