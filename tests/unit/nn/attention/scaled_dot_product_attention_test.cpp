#include "ddx/nn/attention/scaled_dot_product_attention.h"

#include "ddx/ad/differential.h"
#include "ddx/ad/operators.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_layers.h"
#include "tests/support/thrown.h"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <tuple>

namespace ddx::nn {
namespace scaled_dot_product_attention_test {

using ddx::testing::expect_recorded;
using ddx::testing::numbers;
using ddx::testing::thrown;

const Tensor<bool> mask{Tensor<bool>{{true, false, true, true, false},
                                     {false, true, true, false, true},
                                     {true, true, true, true, true}}};

void expect_recorded_attention(const std::string& name, std::int64_t queries, std::int64_t keys,
                               std::int64_t out, const AttentionOptions& options) {
  const auto query = numbers({2, 2, queries, 4}, 1);
  const auto key = numbers({2, 2, keys, 4}, 20);
  const auto value = numbers({2, 2, keys, out}, 40);
  const auto y = scaled_dot_product_attention(query, key, value, options);
  expect_recorded(name, y);
  const auto weights = numbers(y.shape(), 50);
  const auto [of_query, of_key, of_value] = gradient(
      [&](const Tensor<double>& q, const Tensor<double>& k, const Tensor<double>& v) {
        return sum(scaled_dot_product_attention(q, k, v, options) * weights);
      },
      query, key, value);
  expect_recorded(name + ".query", of_query);
  expect_recorded(name + ".key", of_key);
  expect_recorded(name + ".value", of_value);
}

TEST(ScaledDotProductAttention, AgreesWithPyTorch) {
  expect_recorded_attention("attention", 3, 5, 3, {});
  expect_recorded_attention("attention_masked", 3, 5, 3, {.mask = mask});
  expect_recorded_attention("attention_scaled", 3, 5, 3, {.scale = 0.3});
  expect_recorded_attention("attention_causal", 4, 4, 4, {.causal = true});
  expect_recorded_attention("attention_continued", 3, 5, 3, {.causal = true, .scale = 0.8});
}

TEST(ScaledDotProductAttention, ForwardModeAgreesWithReverseMode) {
  const auto query = numbers({1, 3, 4}, 1);
  const auto direction = numbers({1, 3, 4}, 9);
  const auto key = numbers({1, 3, 4}, 20);
  const auto attend = [&](const Tensor<double>& q) {
    return sum(square(scaled_dot_product_attention(q, key, key, {.causal = true})));
  };
  const auto slope = gradient(attend, query);
  EXPECT_NEAR(jvp(attend, along(direction), query).tangent.item(), sum(slope * direction).item(),
              1e-12);
}

// The last query stands at the last key: with two keys before it sees three and four of the four.
TEST(ScaledDotProductAttention, CausalQueriesMayContinueEarlierKeys) {
  const auto query = numbers({1, 4, 4}, 1);
  const auto key = numbers({1, 4, 4}, 20);
  const auto whole = scaled_dot_product_attention(query, key, key, {.causal = true});
  const auto last =
      scaled_dot_product_attention(slice(query, {.start = {0, 2, 0}}), key, key, {.causal = true});
  EXPECT_EQ(last, slice(whole, {.start = {0, 2, 0}}));
}

TEST(ScaledDotProductAttention, AQueryThatSeesNoKeyGetsZerosAndNoGradient) {
  const auto query = numbers({1, 2, 4}, 1);
  const auto key = numbers({1, 3, 4}, 20);
  const AttentionOptions options{.mask = Tensor<bool>{{false, false, false}, {true, true, false}}};
  const auto attend = [&](const Tensor<double>& q, const Tensor<double>& k) {
    return scaled_dot_product_attention(q, k, k, options);
  };
  const auto y = attend(query, key);
  const auto [of_query, of_key] =
      gradient([&](const Tensor<double>& q, const Tensor<double>& k) { return sum(attend(q, k)); },
               query, key);
  for (std::int64_t i = 0; i < 4; ++i) {
    EXPECT_EQ((y[{0, 0, i}]), 0);
    EXPECT_EQ((of_query[{0, 0, i}]), 0);
    EXPECT_NE((of_query[{0, 1, i}]), 0);
    EXPECT_EQ((of_key[{0, 2, i}]), 0);
  }
}

// With a mask that hides nothing, the scores are held and the derivatives are those of the parts.
TEST(ScaledDotProductAttention, ScoresThatAreNotHeldGiveTheSame) {
  const auto query = numbers({2, 2, 70, 5}, 1);
  const auto key = numbers({2, 2, 90, 5}, 20);
  const auto value = numbers({2, 2, 90, 7}, 40);
  const auto weights = numbers({2, 2, 70, 7}, 60);
  for (const bool causal : {false, true}) {
    const AttentionOptions held{.causal = causal, .mask = ones<bool>({70, 90})};
    const AttentionOptions not_held{.causal = causal};
    const auto gradients = [&](const AttentionOptions& options) {
      return value_with_gradient(
          [&](const Tensor<double>& q, const Tensor<double>& k, const Tensor<double>& v) {
            return sum(scaled_dot_product_attention(q, k, v, options) * weights);
          },
          query, key, value);
    };
    const auto expected = gradients(held);
    const auto got = gradients(not_held);
    EXPECT_NEAR(got.value.item(), expected.value.item(), 1e-12);
    const auto expect_near = [](const Tensor<double>& a, const Tensor<double>& b) {
      EXPECT_GT(max(abs(b)).item(), 1e-3);
      EXPECT_LT(max(abs(a - b)).item(), 1e-13);
    };
    expect_near(std::get<0>(got.gradient), std::get<0>(expected.gradient));
    expect_near(std::get<1>(got.gradient), std::get<1>(expected.gradient));
    expect_near(std::get<2>(got.gradient), std::get<2>(expected.gradient));
  }
}

TEST(ScaledDotProductAttention, EveryDeviceAgrees) {
  const auto query = numbers({2, 3, 4}, 1);
  const auto key = numbers({2, 5, 4}, 20);
  const auto there = [](const auto& x) { return x.to(Device::naive()); };
  const AttentionOptions here{.causal = true, .mask = mask, .dropout = 0.5, .key = RandomKey(3)};
  AttentionOptions elsewhere = here;
  elsewhere.mask = there(mask);
  const auto y = scaled_dot_product_attention(query, key, key, here);
  const auto z = scaled_dot_product_attention(there(query), there(key), there(key), elsewhere);
  EXPECT_EQ(z.device(), Device::naive());
  EXPECT_LT(max(abs(y - z.to(y.device()))).item(), 1e-14);
}

TEST(ScaledDotProductAttention, ScoresMayBeLarge) {
  const Tensor<float> query(Shape{1, 1, 1}, {1e4F});
  const Tensor<float> key(Shape{1, 2, 1}, {1e4F, -1e4F});
  const Tensor<float> value(Shape{1, 2, 1}, {2, 3});
  const AttentionOptions hidden{.mask = Tensor<bool>{{false, true}}};
  EXPECT_EQ(scaled_dot_product_attention(query, key, value).item(), 2);
  EXPECT_EQ(scaled_dot_product_attention(query, key, value, hidden).item(), 3);
}

TEST(ScaledDotProductAttention, CausalScoresMayBeLargeAndNegative) {
  // The first query's one score is -3e38, the second's are -3e38 and 0: each weight is 0 or 1.
  const Tensor<float> query(Shape{2, 1}, {3e38F, 3e38F});
  const Tensor<float> key(Shape{2, 1}, {-1, 0});
  const Tensor<float> value(Shape{2, 1}, {2, 3});
  const AttentionOptions causal{.causal = true, .scale = 1.0};
  const auto there = [](const auto& x) { return x.to(Device::naive()); };
  EXPECT_EQ(scaled_dot_product_attention(query, key, value, causal), value);
  EXPECT_EQ(scaled_dot_product_attention(there(query), there(key), there(value), causal),
            there(value));
}

TEST(ScaledDotProductAttention, NothingMayBeAskedOrKnown) {
  const auto none = zeros<double>({2, 0, 4});
  const auto some = numbers({2, 3, 4}, 1);
  EXPECT_EQ(scaled_dot_product_attention(none, some, some).shape(), (Shape{2, 0, 4}));
  EXPECT_EQ(scaled_dot_product_attention(some, none, none, {.causal = true}),
            zeros<double>({2, 3, 4}));
}

// With values that are one row of the unit matrix per key the result is the weights themselves.
TEST(ScaledDotProductAttention, DropoutZeroesWeightsAndEnlargesTheRest) {
  const auto query = zeros<double>({1, 50, 1});
  const auto key = zeros<double>({1, 4, 1});
  const Tensor<double> value(Shape{1, 4, 4}, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
  const auto weights =
      scaled_dot_product_attention(query, key, value, {.dropout = 0.5, .key = RandomKey(3)});
  int dropped = 0;
  for (const double weight : weights.elements()) {
    EXPECT_TRUE(weight == 0 || weight == 0.5) << weight;
    dropped += weight == 0 ? 1 : 0;
  }
  // Binomial of 200: standard deviation 7.
  EXPECT_NEAR(dropped, 100, 28);
}

TEST(ScaledDotProductAttention, MistakesAreAnError) {
  const auto x = zeros<float>({2, 3, 4});
  EXPECT_EQ(thrown<UsageError>(
                [&] { (void)scaled_dot_product_attention(x, zeros<float>({2, 3, 5}), x); }),
            "scaled_dot_product_attention: query [2, 3, 4], key [2, 3, 5] and value [2, 3, 4] are "
            "not [batch, queries, depth], [batch, keys, depth] and [batch, keys, out] (here)");
  EXPECT_EQ(thrown<UsageError>([&] {
              (void)scaled_dot_product_attention(x, x, x, {.mask = Tensor<bool>{true, false}});
            }),
            "scaled_dot_product_attention: mask [2] does not broadcast to the scores [2, 3, 3] "
            "(here)");
  EXPECT_EQ(ddx::testing::thrown<UsageError>(
                [&] { (void)scaled_dot_product_attention(x, x, x, {.dropout = 1}); }),
            "scaled_dot_product_attention: dropout is 1, expected 0 <= dropout < 1");
}

}  // namespace scaled_dot_product_attention_test
}  // namespace ddx::nn
