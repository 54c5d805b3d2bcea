// What is composed of several operations is computed in f32 where elements have 16 bits: values and
// gradients are those of f32, rounded at the end.

#include "ddx/ad/differential.h"
#include "ddx/ad/operators.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/nn/layers/batch_norm.h"
#include "ddx/nn/layers/group_norm.h"
#include "ddx/nn/layers/layer_norm.h"
#include "ddx/nn/layers/rms_norm.h"
#include "ddx/nn/losses/categorical_hinge_loss.h"
#include "ddx/nn/losses/focal_loss.h"
#include "ddx/nn/losses/hinge_loss.h"
#include "ddx/nn/losses/huber_loss.h"
#include "ddx/nn/losses/kullback_leibler_divergence.h"
#include "ddx/nn/losses/l1_loss.h"
#include "ddx/nn/losses/l2_loss.h"
#include "ddx/nn/losses/log_cosh_loss.h"
#include "ddx/nn/losses/mean_absolute_error.h"
#include "ddx/nn/losses/mean_absolute_percentage_error.h"
#include "ddx/nn/losses/mean_squared_error.h"
#include "ddx/nn/losses/mean_squared_logarithmic_error.h"
#include "ddx/nn/losses/poisson_loss.h"
#include "ddx/nn/losses/sigmoid_cross_entropy.h"
#include "ddx/nn/losses/softmax_cross_entropy.h"
#include "ddx/nn/losses/squared_hinge_loss.h"
#include "ddx/tensor/activation.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/attention.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/cumulative.h"
#include "ddx/tensor/moments.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/norm.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/similarity.h"
#include "ddx/tensor/softmax.h"
#include "ddx/tensor/tensor.h"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

namespace ddx::nn {
namespace float16_test {

/// Expects the values of the second in the first, except for some roundings of a 16-bit type.
template <class Narrow>
void expect_rounded(const std::string& name, const Tensor<Narrow>& found,
                    const Tensor<float>& right) {
  const auto values = cast<float>(found).values();
  const auto expected = right.values();
  ASSERT_EQ(values.size(), expected.size()) << name;
  using Limits = std::numeric_limits<Narrow>;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const float tolerance = 2 * static_cast<float>(Limits::epsilon()) * std::abs(expected[i]) +
                            2 * static_cast<float>(Limits::denorm_min());
    ASSERT_NEAR(values[i], expected[i], tolerance) << name << ", element " << i;
  }
}

/// Elements that are to be multiplied with the results, so that their gradients differ.
Tensor<float> weights_like(const Tensor<float>& y) {
  std::vector<float> weights;
  for (std::int64_t i = 0; i < y.shape().count(); ++i) {
    weights.push_back(static_cast<float>(i % 4) + 1);
  }
  return {y.shape(), weights, y.device()};
}

/// Expects of a function of one tensor, which takes each element type, that its value and its
/// gradient in f16 are those in f32, rounded.
template <class F>
void expect_as_in_f32(const std::string& function, const F& f, const Tensor<float>& x) {
  for (const Device device : {Device::naive(), Device::cpu(), Device::lazy()}) {
    const auto narrow = cast<Half>(x.to(device));
    const auto wide = cast<float>(narrow);
    const std::string name = function + " on " + to_string(device);
    const auto right = f(wide);
    expect_rounded(name, f(narrow), right);
    const auto weights = weights_like(right);
    const auto narrow_weights = cast<Half>(weights);
    const auto slope =
        gradient([&](const Tensor<Half>& v) { return sum(f(v) * narrow_weights); }, narrow);
    const auto right_slope =
        gradient([&](const Tensor<float>& v) { return sum(f(v) * weights); }, wide);
    expect_rounded(name + ", gradient", slope, right_slope);
  }
}

// Squares of the large ones are infinite in f16, of the small ones 0.
const Tensor<float> large{{300, -300, 310, -290}, {280, -320, 300, -300}};
const Tensor<float> small{{1e-4F, -1e-4F, 2e-4F, -3e-4F}, {3e-4F, -1e-4F, 1e-4F, -2e-4F}};

TEST(Float16, MomentsAndNorms) {
  for (const auto& x : {large, small}) {
    expect_as_in_f32(
        "standard_deviation", [](const auto& v) { return standard_deviation(v, {.axes = {1}}); },
        x);
    expect_as_in_f32("norm", [](const auto& v) { return norm(v, {.axes = {1}}); }, x);
    expect_as_in_f32(
        "cosine_similarity",
        [other = weights_like(x)]<class Scalar>(const Tensor<Scalar>& v) {
          return cosine_similarity(v, cast<Scalar>(other.to(v.device())), {.axes = {1}});
        },
        x);
  }
  expect_as_in_f32(
      "variance", [](const auto& v) { return variance(v, {.axes = {1}}); },
      Tensor<float>{{150, -150, 160, -140}, {300, 0, 150, 50}});
}

TEST(Float16, ProductsOfSomeFactorsMayOverflow) {
  const Tensor<float> x{{300, 300, 1e-3F, 2e-3F}, {2e-3F, 400, 200, 1e-3F}};
  expect_as_in_f32("product", [](const auto& v) { return product(v, {.axes = {1}}); }, x);
}

TEST(Float16, Activations) {
  for (const auto& x : {large, small}) {
    expect_as_in_f32("gelu_tanh", [](const auto& v) { return gelu_tanh(v); }, x);
    expect_as_in_f32("gelu", [](const auto& v) { return gelu(v); }, x);
    expect_as_in_f32("silu", [](const auto& v) { return silu(v); }, x);
    expect_as_in_f32("softplus", [](const auto& v) { return softplus(v); }, x);
    expect_as_in_f32("mish", [](const auto& v) { return mish(v); }, x);
  }
}

/// Attention to the keys and values given, to which a tensor is added.
struct Attended {
  Tensor<float> query, key, value;
  bool varies_query, varies_key, varies_value;

  template <class Scalar>
  Tensor<Scalar> operator()(const Tensor<Scalar>& v) const {
    const auto operand = [&](const Tensor<float>& x, bool varies) {
      const auto own = cast<Scalar>(x.to(v.device()));
      return varies ? own + v : own;
    };
    return attention(operand(query, varies_query), operand(key, varies_key),
                     operand(value, varies_value));
  }
};

// Scores of 180000 are infinite in f16. Those of 500 and 500.39 give weights of 0.4 and 0.6; f16
// has no number between 500.25 and 500.5.
TEST(Float16, AttentionOfLargeScores) {
  expect_as_in_f32("attention", [](const auto& v) { return attention(v, v, v); }, large);
  expect_as_in_f32("attention", [](const auto& v) { return attention(v, v, v); }, small);
  const Tensor<float> q{{100, 0, 0, 0}, {0, 100, 0, 0}};
  const Tensor<float> k{{10, 9, 0, 0}, {10.0078125F, 9.0078125F, 0, 0}};
  expect_as_in_f32("attention, values", Attended{q, k, zeros_like(k), false, false, true}, large);
}

/// The tangent of the function at x along x.
template <class F, class Scalar>
Tensor<Scalar> tangent_along_itself(const F& f, const Tensor<Scalar>& x) {
  return jvp(f, along(x), x).tangent;
}

TEST(Float16, TangentsOfAttentionOfLargeScores) {
  const Tensor<float> q{{100, 0, 0, 0}, {0, 100, 0, 0}};
  const Tensor<float> k{{10, 9, 0, 0}, {10.0078125F, 9.0078125F, 0, 0}};
  const Tensor<float> v{{5, 6, 7, 8}, {7, 5, 8, 6}};
  const Tensor<float> direction{{0.5F, 0.25F, -0.5F, 1}, {0.25F, 0.5F, 1, -0.25F}};
  const Attended of_queries{q, k, v, true, false, false};
  const Attended of_keys{q, k, v, false, true, false};
  const Attended of_values{q, k, v, false, false, true};
  for (const Device device : {Device::naive(), Device::cpu(), Device::lazy()}) {
    const auto x = direction.to(device);
    const auto expect_tangent = [&](const std::string& name, const auto& f) {
      const auto slope =
          tangent_along_itself([&](const Tensor<Half>& u) { return f(u); }, cast<Half>(x));
      const auto right =
          tangent_along_itself([&](const Tensor<double>& u) { return f(u); }, cast<double>(x));
      expect_rounded(name + " on " + to_string(device), slope, cast<float>(right));
    };
    expect_tangent("queries", of_queries);
    expect_tangent("keys", of_keys);
    expect_tangent("values", of_values);
    expect_tangent("all", [](const auto& u) { return attention(u, u, u, {.scale = 400}); });
  }
}

// 100,000 equal elements: their number is infinite in f16.
TEST(Float16, LongAxes) {
  const Tensor<float> x = full({100000}, 0.5F);
  const auto scaled = [](const auto& f) { return [f](const auto& v) { return f(v); }; };
  expect_as_in_f32("log_sum_exp", scaled([](const auto& v) { return log_sum_exp(v); }), x);
  expect_as_in_f32("max", scaled([](const auto& v) { return max(v); }), x);
  expect_as_in_f32("norm", scaled([](const auto& v) { return norm(v); }), x);
}

template <template <class> class Layer>
void expect_layer(const std::string& name, const Tensor<float>& x, double epsilon) {
  expect_as_in_f32(
      name,
      [&]<class Scalar>(const Tensor<Scalar>& v) {
        const Layer<Scalar> layer({.features = 4, .epsilon = epsilon, .device = v.device()});
        return layer(v);
      },
      x);
}

TEST(Float16, Normalisations) {
  expect_layer<LayerNorm>("LayerNorm", large, 1e-3);
  expect_layer<LayerNorm>("LayerNorm", small, 1e-9);
  expect_layer<RMSNorm>("RMSNorm", large, 1e-3);
  expect_layer<RMSNorm>("RMSNorm", small, 1e-9);
  const auto by_samples = [](double epsilon) {
    return [epsilon]<class Scalar>(const Tensor<Scalar>& v) {
      const GroupNorm<Scalar> layer(
          {.features = 4, .groups = 2, .epsilon = epsilon, .device = v.device()});
      return layer(reshape(v, {1, 2, 4}));
    };
  };
  expect_as_in_f32("GroupNorm", by_samples(1e-3), large);
  expect_as_in_f32("GroupNorm", by_samples(1e-9), small);
}

TEST(Float16, BatchNormalisationKeepsItsStatisticsInFloats) {
  for (const Device device : {Device::naive(), Device::cpu(), Device::lazy()}) {
    const auto x = cast<BFloat16>(Tensor<float>({4, 2}, {1, 8, 3, 10, 1, 8, 3, 10}, device));
    BatchNorm<BFloat16> norm({.features = 2, .device = device});
    for (std::uint64_t step = 0; step < 1000; ++step) {
      norm.begin_step(RandomKey(step));
      (void)norm(x);
      norm.end_step();
    }
    // 0.99^1000 = 4e-5 of the start is left.
    const auto means = norm.running_mean.values();
    EXPECT_NEAR(means[0], 2, 1e-3) << to_string(device);
    EXPECT_NEAR(means[1], 9, 1e-3) << to_string(device);
    EXPECT_NEAR(norm.running_variance.values()[0], 1, 1e-3) << to_string(device);
  }
}

template <class Loss>
void expect_loss(const std::string& name, const Loss& loss, const Tensor<float>& predicted,
                 const Tensor<float>& expected) {
  expect_as_in_f32(
      name,
      [&]<class Scalar>(const Tensor<Scalar>& v) {
        return loss(v, cast<Scalar>(expected.to(v.device())));
      },
      predicted);
}

// The squares of 300 and 400 are infinite in f16, their mean over 8 with zeros is not.
TEST(Float16, Losses) {
  const Tensor<float> far{{300, 0, 0, 0}, {0, 0, -1e-4F, 0.5F}};
  const Tensor<float> zero = zeros_like(far);
  const Tensor<float> positive{{300, 2, 1, 1}, {1, 2, 0x1p-10F, 0.5F}};
  const Tensor<float> ones_and_zeros{{1, 0, 1, 1}, {0, 1, 0, 1}};
  const Tensor<float> signs{{-1, 1, 1, -1}, {1, -1, 1, 1}};
  const auto mean_of = Reduction::Mean;
  expect_loss(
      "mean_squared_error", [](auto& p, auto e) { return mean_squared_error(p, e); }, far, zero);
  expect_loss("l1_loss", [=](auto& p, auto e) { return l1_loss(p, e, mean_of); }, far, zero);
  expect_loss("l2_loss", [=](auto& p, auto e) { return l2_loss(p, e, mean_of); }, far, zero);
  expect_loss(
      "huber_loss",
      [](auto& p, auto e) {
        return huber_loss(p, e, {.delta = 400, .reduction = Reduction::Mean});
      },
      far, zero);
  expect_loss("log_cosh_loss", [](auto& p, auto e) { return log_cosh_loss(p, e); }, far, zero);
  expect_loss(
      "mean_absolute_error", [](auto& p, auto e) { return mean_absolute_error(p, e); }, far, signs);
  expect_loss(
      "mean_absolute_percentage_error",
      [](auto& p, auto e) { return mean_absolute_percentage_error(p, e); }, far, positive);
  expect_loss(
      "mean_squared_logarithmic_error",
      [](auto& p, auto e) { return mean_squared_logarithmic_error(p, e); }, positive, zero);
  expect_loss(
      "poisson_loss", [](auto& p, auto e) { return poisson_loss(p, e); }, positive, positive);
  expect_loss(
      "kullback_leibler_divergence",
      [=](auto& p, auto e) { return kullback_leibler_divergence(p, e, mean_of); }, positive,
      ones_and_zeros);
  expect_loss("hinge_loss", [](auto& p, auto e) { return hinge_loss(p, e); }, far, signs);
  expect_loss(
      "squared_hinge_loss", [](auto& p, auto e) { return squared_hinge_loss(p, e); }, far, signs);
  expect_loss(
      "categorical_hinge_loss", [](auto& p, auto e) { return categorical_hinge_loss(p, e); }, far,
      ones_and_zeros);
  expect_loss(
      "sigmoid_cross_entropy", [](auto& p, auto e) { return sigmoid_cross_entropy(p, e); }, far,
      ones_and_zeros);
  expect_loss("focal_loss", [](auto& p, auto e) { return focal_loss(p, e); }, far, ones_and_zeros);
  expect_loss(
      "softmax_cross_entropy", [](auto& p, auto e) { return softmax_cross_entropy(p, e); }, far,
      ones_and_zeros);
}

// The number of rows is infinite in f16: -1/2 / 65536 for each label.
TEST(Float16, CrossEntropyOfManyRows) {
  const std::int64_t rows = 65536;
  for (const Device device : {Device::naive(), Device::cpu(), Device::lazy()}) {
    const auto logits = zeros<Half>({rows, 2}, device);
    const auto labels = zeros<std::int32_t>({rows}, device);
    const auto slope = gradient(
        [&](const Tensor<Half>& v) { return ddx::softmax_cross_entropy(v, labels); }, logits);
    const float right = -0.5F / 65536;
    EXPECT_NEAR(cast<float>(slope).values()[0], right, 6e-8) << to_string(device);
    EXPECT_NEAR(cast<float>(slope).values()[1], -right, 6e-8) << to_string(device);
  }
}

}  // namespace float16_test
}  // namespace ddx::nn
