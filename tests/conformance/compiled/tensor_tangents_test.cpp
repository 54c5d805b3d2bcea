// Forward mode over tensors against central differences: every operation that has a derivative and
// whose tangent is known, with several elements moving at once.

#include "ddx/ddx.h"

#include "tests/conformance/compiled/checks.h"
#include "tests/conformance/gradient_check.h"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <tuple>
#include <vector>

namespace ddx::testing {
namespace {

const Doubles x{{0.5, -1.5}, {2.25, 0.75}};
const Doubles positive{{0.5, 1.5}, {2.25, 0.75}};
const Doubles row{0.3, -0.8};

#define EXPECT_TANGENT(...) \
  expect_tangent([](const Doubles& t) -> Doubles { return __VA_ARGS__; }, x)
#define EXPECT_TANGENT_AT_POSITIVE(...) \
  expect_tangent([](const Doubles& t) -> Doubles { return __VA_ARGS__; }, positive)

TEST(TensorTangents, Operators) {
  EXPECT_TANGENT(-t + t * row);
  EXPECT_TANGENT(row - t * t);
  EXPECT_TANGENT(t / (t * t + row * row));
  EXPECT_TANGENT((t + 1.0) * 2.0 - 0.5);
  EXPECT_TANGENT(1.0 + 3.0 * (2.0 - t));
  EXPECT_TANGENT(t / 2.0 + 1.0 / (t + 4.0));
}

TEST(TensorTangents, NumbersBesideTensors) {
  EXPECT_TANGENT(t * t[{0, 1}] + t[{1, 1}]);
  EXPECT_TANGENT((t[{0, 0}] - t) / t[{1, 0}]);
  EXPECT_TANGENT(t[{0, 1}] / (t + 4.0) - t[{1, 0}]);
}

TEST(TensorTangents, Elementwise) {
  EXPECT_TANGENT(exp(t) + expm1(t) * sin(t) - cos(t));
  EXPECT_TANGENT(tanh(t) * sigmoid(t) + square(t));
  EXPECT_TANGENT(relu(t) + abs(t) * sign(t));
  EXPECT_TANGENT(floor(t) + t);
  EXPECT_TANGENT(maximum(t, 0.9 - t) + minimum(t, row));
  EXPECT_TANGENT(select(greater(t, 0.6), t, square(t)));
  EXPECT_TANGENT_AT_POSITIVE(log(t) + log1p(t) * sqrt(t));
  EXPECT_TANGENT_AT_POSITIVE(rsqrt(t) + reciprocal(t) + pow(t, t));
}

TEST(TensorTangents, Movement) {
  EXPECT_TANGENT(square(transpose(t)) * reshape(t, {2, -1}));
  EXPECT_TANGENT(slice(t * t, {.start = {0, 1}}));
  EXPECT_TANGENT(pad(t * t, {1, 1}, {0, 2}, 3.0));
  EXPECT_TANGENT(pad(row, {1}, {1}, t[{0, 1}] * 2));
  EXPECT_TANGENT(gather(t * t, Tensor<std::int32_t>{1, 1, 0}));
  EXPECT_TANGENT(concatenate(std::vector<Doubles>{t, t * t}, 1));
  EXPECT_TANGENT(broadcast_to(t * t, {3, 2, 2}));
  EXPECT_TANGENT(sum_to(t * t, {2}));
}

TEST(TensorTangents, ReductionsAndProducts) {
  EXPECT_TANGENT(sum(t * t, {.axes = {0}}) * mean(t, {.axes = {1}}));
  EXPECT_TANGENT(max(t, {.axes = {1}, .keep_dims = true}) * min(t, {.axes = {0}}));
  EXPECT_TANGENT(matmul(t, t * row));
  EXPECT_TANGENT(matmul(row * t, t, {.transpose_right = true}));
}

TEST(TensorTangents, Probabilities) {
  EXPECT_TANGENT(softmax(t * t) * log_softmax(t, 0));
  EXPECT_TANGENT(softmax(t, 0) + log_softmax(t * t));
  EXPECT_TANGENT(softmax_cross_entropy(t * t, Tensor<std::int32_t>{1, 0}));
  EXPECT_TANGENT(softmax_cross_entropy_per_row(t * t, Tensor<std::int32_t>{1, 0}));
}

TEST(TensorTangents, Attention) {
  const auto places = random_tensor({2, 3, 4}, 1, Device());
  const auto others = random_tensor({2, 5, 4}, 2, Device());
  expect_tangent([](const Doubles& t) { return attention(t, t * t, sin(t), {.scale = 0.7}); },
                 places);
  expect_tangent([](const Doubles& t) { return attention(t * t, t, cos(t), {.causal = true}); },
                 places);
  expect_tangent([&](const Doubles& t) { return attention(t, others, others, {.causal = true}); },
                 places);
  // The first two of five places stand before all keys.
  expect_tangent([&](const Doubles& t) { return attention(others, t, t * t, {.causal = true}); },
                 places);
}

TEST(TensorTangents, ConvolutionAndPooling) {
  const auto image = random_tensor({1, 4, 4, 2}, 1, Device());
  const auto both = [](const Doubles& t) {
    return conv2d(t * t, reshape(t, {4, 2, 2, 2}), {.padding = Padding::Same});
  };
  expect_tangent(both, image);
  const auto filter = random_tensor({2, 2, 2, 3}, 2, Device());
  expect_tangent([&filter](const Doubles& t) { return conv2d(t, filter, {.strides = {2, 1}}); },
                 image);
  expect_tangent([&image](const Doubles& t) { return conv2d(image, t); }, filter);
  expect_tangent([](const Doubles& t) { return avg_pool2d(t * t); }, image);
}

TEST(TensorTangents, Normalisation) {
  const auto scale = random_tensor({3}, 1, Device());
  const auto places = random_tensor({2, 4, 3}, 2, Device());
  expect_tangent([&](const Doubles& t) { return layer_norm(t, scale, scale * scale); }, places);
  expect_tangent([&](const Doubles& t) { return layer_norm(places, t, sin(t)); }, scale);
  expect_tangent([&](const Doubles& t) { return layer_norm(places, scale, t * t); }, scale);
  const auto trained = [](const Doubles& x, const Doubles& s, const Doubles& o) {
    return batch_norm_training(x, s, o).output;
  };
  expect_tangent([&](const Doubles& t) { return trained(t, scale, sin(scale)); }, places);
  expect_tangent([&](const Doubles& t) { return trained(places, t, sin(t)); }, scale);
  expect_tangent([&](const Doubles& t) { return trained(places, scale, t * t); }, scale);
}

// A tie has the tangent of the first.
TEST(TensorTangents, OfTheFirstLargestOfAWindow) {
  const Doubles tie({1, 4, 1}, {2, 2, 1, 1});
  const Doubles direction({1, 4, 1}, {10, 20, 30, 40});
  const auto pooled = [](const Doubles& t) { return max_pool1d(t); };
  EXPECT_EQ(jvp(pooled, ddx::along(direction), tie).tangent, Doubles({1, 2, 1}, {10, 30}));
}

TEST(TensorTangents, UpdatesInPlaceLoopsAndConstants) {
  expect_tangent(
      [](const Doubles& t) {
        Doubles s = t;
        for (int i = 0; i < 3; ++i) {
          s *= t;
          s -= sin(t);
          s += 1.0;
          s /= t * t + 1.0;
          if (i == 1) {
            s = row;  // Nothing moves it now.
            s = relu(s) * tanh(t) + softmax(s);
          }
        }
        return add_scaled(s, 2.0, cos(t));
      },
      x);
}

struct Layer {
  Doubles weight;
  Doubles bias;
  Doubles operator()(const Doubles& t) const { return tanh(matmul(t, weight) + bias); }
  DDX_DIFFERENTIABLE(Layer, weight, bias)
};

TEST(TensorTangents, AgreeWithPullbacksOverAModel) {
  const Layer layer{x, row};
  const Doubles input = random_tensor({3, 2}, 7, Device());
  const auto apply = [](const Layer& l, const Doubles& t) { return softmax(l(l(t))); };
  Layer::TangentVector moved;
  moved.weight = random_tensor({2, 2}, 8, Device());
  moved.bias = random_tensor({2}, 9, Device());
  const Doubles d_input = random_tensor({3, 2}, 10, Device());
  const Doubles weights = random_tensor({3, 2}, 11, Device());
  const Doubles tangent = jvp(apply, ddx::along(moved, d_input), layer, input).tangent;
  const auto [d_layer, d_in] = pullback(apply, layer, input)(weights);
  EXPECT_NEAR(
      inner(weights, tangent),
      inner(d_layer.weight, moved.weight) + inner(d_layer.bias, moved.bias) + inner(d_in, d_input),
      1e-12);
}

}  // namespace
}  // namespace ddx::testing
