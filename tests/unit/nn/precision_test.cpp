#include "ddx/nn/precision.h"

#include "ddx/ad/differentiable.h"
#include "ddx/ad/operators.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/nn/activation.h"
#include "ddx/nn/gradients/dynamic_loss_scale.h"
#include "ddx/nn/layers/batch_norm.h"
#include "ddx/nn/layers/convolution.h"
#include "ddx/nn/layers/dense.h"
#include "ddx/nn/layers/flatten.h"
#include "ddx/nn/layers/pooling.h"
#include "ddx/nn/optimizers/adam.h"
#include "ddx/nn/path.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/norm.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/softmax.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/temporary_folder.h"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace ddx::nn {
namespace precision_test {

using ddx::testing::message_of;

/// A classifier of points.
template <FloatingScalar Scalar>
struct Net {
  Dense<Scalar> hidden{{.in = 2, .out = 32, .activation = Activation::Tanh, .key = RandomKey(1)}};
  std::vector<Dense<Scalar>> rest{{{.in = 32, .out = 3, .key = RandomKey(2)}}};

  Tensor<Scalar> operator()(const Tensor<Scalar>& x) const { return rest[0](hidden(x)); }

  DDX_DIFFERENTIABLE(Net, hidden, rest)
};

/// Points around the origin, and which third of the circle they lie in.
struct Points {
  Tensor<float> x;
  Tensor<std::int32_t> labels;
};

Points points(std::int64_t count, RandomKey key) {
  Points result{random_normal<float>(key, {count, 2}), zeros<std::int32_t>({count})};
  for (std::int64_t i = 0; i < count; ++i) {
    const double angle = std::atan2(result.x[{i, 1}], result.x[{i, 0}]);
    result.labels.set({i}, angle < -1.0471975511965976 ? 0 : angle < 1.0471975511965976 ? 1 : 2);
  }
  return result;
}

/// The part of the points that the scores classify.
template <class Scalar>
double accuracy(const Tensor<Scalar>& scores, const Tensor<std::int32_t>& labels) {
  return static_cast<double>(mean(cast<double>(equal(argmax(scores, 1), labels))).item());
}

template <class Scalar>
Tensor<float> loss_in(const Net<Scalar>& net, const Points& p) {
  return softmax_cross_entropy(cast<float>(net(cast<Scalar>(p.x))), p.labels);
}

TEST(Precision, CastsEachParameterAndKeepsTheForm) {
  Net<float> net;
  net.hidden.bias = full<float>({32}, 0.1F);
  Net<Half> form;
  form.hidden.activation = Activation::Identity;
  const Net<Half> cast_net = cast_parameters(form, net);
  EXPECT_EQ(cast_net.hidden.activation, Activation::Identity);
  EXPECT_EQ(cast_net.hidden.bias, full<Half>({32}, 0.0999755859375));
  EXPECT_EQ(cast_net.rest[0].weight, cast<Half>(net.rest[0].weight));
}

TEST(Precision, ALossIn16BitsHasAGradientInF32) {
  const auto data = points(64, RandomKey(3));
  const Net<float> net;
  const Net<BFloat16> form;
  const auto slope =
      gradient([&](const Net<float>& n) { return loss_in(cast_parameters(form, n), data); }, net);
  static_assert(std::is_same_v<decltype(slope.hidden.weight), Tensor<float>>);
  const auto exact = gradient([&](const Net<float>& n) { return loss_in(n, data); }, net);
  for (std::int64_t i = 0; i < 32; ++i) {
    EXPECT_NEAR((slope.hidden.weight[{0, i}]), (exact.hidden.weight[{0, i}]), 4e-3);
    EXPECT_NEAR((slope.rest[0].weight[{i, 2}]), (exact.rest[0].weight[{i, 2}]), 4e-3);
  }
  EXPECT_FALSE(slope.hidden.weight == exact.hidden.weight) << "it was not computed in 16 bits";
}

/// Each kind of layer whose kernels are not elementwise.
template <FloatingScalar Scalar>
struct ConvolutionNet {
  Conv2D<Scalar> convolution{{.in = 1, .out = 8, .kernel = {3, 3}, .key = RandomKey(6)}};
  BatchNorm<Scalar> normalization{{.features = 8}};
  AvgPool2D<Scalar> pool{{.size = {2, 2}}};
  Flatten<Scalar> flatten{};
  Dense<Scalar> classifier{{.in = 72, .out = 3, .key = RandomKey(7)}};

  Tensor<Scalar> operator()(const Tensor<Scalar>& x) const {
    return classifier(flatten(pool(tanh(normalization(convolution(x))))));
  }

  DDX_DIFFERENTIABLE(ConvolutionNet, convolution, normalization, pool, flatten, classifier)
};

/// How far the gradient of a loss in a 16-bit type may be from that in f32, in parts of its norm.
template <FloatingScalar Narrow>
void expect_near_f32(double tolerance) {
  const auto images = random_normal<float>(RandomKey(8), {16, 8, 8, 1});
  const auto labels = cast<std::int32_t>(random_uniform<float>(RandomKey(9), {16}, {.high = 3}));
  ConvolutionNet<float> net;
  ConvolutionNet<Narrow> form;
  begin_step(net, RandomKey(0));
  begin_step(form, RandomKey(0));
  const auto exact = value_with_gradient(
      [&](const ConvolutionNet<float>& n) { return softmax_cross_entropy(n(images), labels); },
      net);
  const auto narrow = value_with_gradient(
      [&](const ConvolutionNet<float>& n) {
        return softmax_cross_entropy(cast<float>(cast_parameters(form, n)(cast<Narrow>(images))),
                                     labels);
      },
      net);
  EXPECT_NEAR(narrow.value.item(), exact.value.item(), tolerance * exact.value.item());
  visit_parameters(
      [&](const Path& path, const Tensor<float>& a, const Tensor<float>& b) {
        // The bias before a normalisation has no slope: what there is comes from rounding.
        EXPECT_LT(norm(a - b).item(), tolerance * (norm(a).item() + 0.1)) << to_string(path);
      },
      exact.gradient, narrow.gradient);
  end_step(net);
  end_step(form);
  const auto of_f32 = net.normalization.running_mean;
  cast_state(net, form);
  EXPECT_GT(norm(of_f32).item(), 0);
  EXPECT_LT(norm(of_f32 - net.normalization.running_mean).item(), tolerance * norm(of_f32).item());
}

TEST(Precision, LayersIn16BitsComputeWhatTheyDoInF32) {
  expect_near_f32<BFloat16>(0.04);
  expect_near_f32<Half>(0.005);
}

TEST(Precision, AParameterWithoutPartInTheLossHasGradientZero) {
  const Net<float> net;
  const Net<BFloat16> form;
  const auto slope = gradient(
      [&](const Net<float>& n) { return sum(cast<float>(cast_parameters(form, n).hidden.bias)); },
      net);
  EXPECT_EQ(slope.hidden.bias, ones<float>({32}));
  ASSERT_EQ(slope.rest.size(), 1U);
  EXPECT_EQ(sum(slope.rest[0].weight).item(), 0);
}

TEST(Precision, TrainingIn16BitsReachesTheAccuracyOfF32) {
  const auto data = points(256, RandomKey(4));
  const auto unseen = points(512, RandomKey(5));
  Net<float> plain;
  Net<float> mixed;
  const Net<BFloat16> form;
  Adam plain_optimizer(plain, {.learning_rate = 0.01});
  Adam mixed_optimizer(mixed, {.learning_rate = 0.01});
  DynamicLossScale scale({.initial = 1024});
  for (int step = 0; step < 150; ++step) {
    plain_optimizer.update(plain,
                           gradient([&](const Net<float>& n) { return loss_in(n, data); }, plain));
    auto scaled = gradient(
        [&](const Net<float>& n) { return scale.scaled(loss_in(cast_parameters(form, n), data)); },
        mixed);
    auto slope = scale.take_unscaled(std::move(scaled));
    ASSERT_TRUE(slope.has_value());
    mixed_optimizer.update(mixed, *slope);
  }
  const double in_f32 = accuracy(plain(unseen.x), unseen.labels);
  const double in_bf16 =
      accuracy(cast_parameters(form, mixed)(cast<BFloat16>(unseen.x)), unseen.labels);
  EXPECT_GT(in_f32, 0.95);
  EXPECT_GT(in_bf16, in_f32 - 0.015);
}

TEST(Precision, SmallStepsCountInF32AndAreLostIn16Bits) {
  // 1 + 2^-9 rounds to 1 in bf16: only the parameter in f32 moves.
  Tensor<float> master(1.0F);
  Tensor<BFloat16> narrow(BFloat16(1));
  for (int step = 0; step < 8; ++step) {
    const auto slope = gradient(
        [](const Tensor<float>& w) { return cast<float>(cast<BFloat16>(w) * 2.0F); }, master);
    master = master + slope * 0x1p-10F;
    narrow = narrow + cast<BFloat16>(slope * 0x1p-10F);
  }
  EXPECT_EQ(master.item(), 1 + 0x1p-6F);
  EXPECT_EQ(narrow.item(), 1);
}

TEST(Precision, AnOverflowInHalfLowersTheScale) {
  DynamicLossScale scale({.initial = 65536});
  auto slope =
      gradient([&](const Tensor<float>& w) { return scale.scaled(sum(square(cast<Half>(w)))); },
               Tensor<float>{1, 2});
  EXPECT_FALSE(scale.take_unscaled(std::move(slope)).has_value());
  EXPECT_EQ(scale.value(), 32768);
}

TEST(Precision, CastsTheStateOfLayersToo) {
  BatchNorm<BFloat16> narrow({.features = 2});
  narrow.running_mean = {1.5, -3};
  narrow.scale = {2, 0.25};
  BatchNorm<float> wide({.features = 2});
  cast_state(wide, narrow);
  EXPECT_EQ(wide.running_mean, (Tensor<float>{1.5F, -3}));
  EXPECT_EQ(wide.running_variance, ones<float>({2}));
  EXPECT_EQ(wide.scale, (Tensor<float>{2, 0.25F}));
}

TEST(Precision, ModelsOfAnotherShapeAreRefused) {
  const Net<float> net;
  Net<BFloat16> form;
  form.hidden.bias = zeros<BFloat16>({3});
  EXPECT_EQ(message_of<UsageError>([&] { (void)cast_parameters(form, net); }),
            "cast_parameters: hidden.bias has shape [3], its counterpart has shape [32]");
  form.rest.clear();
  form.hidden.bias = zeros<BFloat16>({32});
  EXPECT_EQ(message_of<UsageError>([&] { cast_state(form, net); }),
            "visit: rest has 0 elements, its counterpart has 1");
}

}  // namespace precision_test
}  // namespace ddx::nn
