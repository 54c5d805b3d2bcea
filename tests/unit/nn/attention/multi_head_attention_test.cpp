#include "ddx/nn/attention/multi_head_attention.h"

#include "ddx/ad/operators.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/splitting.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/model_gradient.h"
#include "tests/support/recorded_layers.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/thrown.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <tuple>
#include <utility>
#include <vector>

namespace ddx::nn {
namespace multi_head_attention_test {

using ddx::testing::expect_recorded;
using ddx::testing::numbers;

TEST(MultiHeadAttention, ToItselfAgreesWithPyTorch) {
  MultiHeadAttention<double> layer{{.features = 4, .heads = 2}};
  const auto weights = split_equally(numbers({12, 4}, 100), 3);
  const auto biases = split_equally(numbers({12}, 200), 3);
  layer.query.weight = transpose(weights[0]);
  layer.key.weight = transpose(weights[1]);
  layer.value.weight = transpose(weights[2]);
  layer.query.bias = biases[0];
  layer.key.bias = biases[1];
  layer.value.bias = biases[2];
  layer.output.weight = transpose(numbers({4, 4}, 300));
  layer.output.bias = numbers({4}, 400);
  const auto slope =
      ddx::testing::recorded_gradient("multi_head_self", layer, numbers({2, 3, 4}, 1));
  expect_recorded(
      "multi_head_self.in_weight",
      concatenate(std::vector{transpose(slope.query.weight), transpose(slope.key.weight),
                              transpose(slope.value.weight)}));
  expect_recorded("multi_head_self.in_bias",
                  concatenate(std::vector{slope.query.bias, slope.key.bias, slope.value.bias}));
  expect_recorded("multi_head_self.out_weight", transpose(slope.output.weight));
  expect_recorded("multi_head_self.out_bias", slope.output.bias);
}

TEST(MultiHeadAttention, ToAContextAgreesWithPyTorch) {
  MultiHeadAttention<double> layer{{.features = 4, .heads = 2, .context_features = 6}};
  const auto biases = split_equally(numbers({12}, 400), 3);
  layer.query.weight = transpose(numbers({4, 4}, 100));
  layer.key.weight = transpose(numbers({4, 6}, 200));
  layer.value.weight = transpose(numbers({4, 6}, 300));
  layer.query.bias = biases[0];
  layer.key.bias = biases[1];
  layer.value.bias = biases[2];
  layer.output.weight = transpose(numbers({4, 4}, 500));
  layer.output.bias = numbers({4}, 600);
  const auto x = numbers({2, 3, 4}, 1);
  const auto context = numbers({2, 5, 6}, 30);
  expect_recorded("multi_head_cross", layer(x, context));
  const auto weights = numbers({2, 3, 4}, 50);
  const auto [slope, of_x, of_context] =
      gradient([&](const MultiHeadAttention<double>& m, const Tensor<double>& a,
                   const Tensor<double>& b) { return sum(m(a, b) * weights); },
               layer, x, context);
  expect_recorded("multi_head_cross.x", of_x);
  expect_recorded("multi_head_cross.context", of_context);
  expect_recorded("multi_head_cross.query_weight", transpose(slope.query.weight));
  expect_recorded("multi_head_cross.key_weight", transpose(slope.key.weight));
  expect_recorded("multi_head_cross.value_weight", transpose(slope.value.weight));
  expect_recorded("multi_head_cross.in_bias",
                  concatenate(std::vector{slope.query.bias, slope.key.bias, slope.value.bias}));
}

TEST(MultiHeadAttention, GradientAgreesWithDifferences) {
  MultiHeadAttention<double> layer{{.features = 4,
                                    .heads = 2,
                                    .causal = true,
                                    .dropout = 0.25,
                                    .rotary = RotaryOptions{.base = 100},
                                    .key = RandomKey(5)}};
  begin_step(layer, RandomKey(6));
  ddx::testing::expect_gradient(layer, random_normal<double>(RandomKey(1), {2, 3, 4}));
}

TEST(MultiHeadAttention, DropsOutInAStepOnly) {
  MultiHeadAttention<double> layer{{.features = 4, .heads = 2, .dropout = 0.5}};
  const auto x = random_normal<double>(RandomKey(1), {2, 3, 4});
  const auto still = layer(x);
  begin_step(layer, RandomKey(6));
  EXPECT_FALSE(layer(x) == still);
  end_step(layer);
  EXPECT_EQ(layer(x), still);
}

TEST(MultiHeadAttention, PlaceByPlaceIsTheWhole) {
  const MultiHeadAttention<double> layer{
      {.features = 4, .heads = 2, .causal = true, .rotary = RotaryOptions{}, .key = RandomKey(5)}};
  const auto x = random_normal<double>(RandomKey(1), {2, 5, 4});
  const auto whole = layer(x);
  // Without room, with enough, and with room that doubles once and twice.
  for (const std::int64_t room : {0, 7, 3, 1}) {
    AttentionCache<double> cache{.room = room};
    EXPECT_EQ(cache.places(), 0);
    std::int64_t begin = 0;
    for (const std::int64_t end : {1, 3, 4, 5}) {
      const auto y = layer.extend(slice(x, {.start = {0, begin, 0}, .stop = {2, end, 4}}), cache);
      const auto expected = slice(whole, {.start = {0, begin, 0}, .stop = {2, end, 4}});
      EXPECT_LT(max(abs(y - expected)).item(), 1e-14) << room << ", " << end;
      EXPECT_EQ(cache.places(), end);
      begin = end;
    }
    EXPECT_EQ(cache.keys.shape()[2], room == 7 ? 7 : room == 3 ? 6 : 8);
  }
}

TEST(MultiHeadAttention, WithDropoutACacheWithRoomIsReadToItsLastPlace) {
  MultiHeadAttention<double> layer{{.features = 4, .heads = 2, .causal = true, .dropout = 0.5}};
  begin_step(layer, RandomKey(6));
  const auto x = random_normal<double>(RandomKey(1), {1, 3, 4});
  AttentionCache<double> exact;
  AttentionCache<double> roomy{.room = 8};
  for (std::int64_t place = 0; place < 3; ++place) {
    const auto one = slice(x, {.start = {0, place, 0}, .stop = {1, place + 1, 4}});
    EXPECT_EQ(layer.extend(one, roomy), layer.extend(one, exact)) << place;
  }
}

TEST(AttentionCache, WritesPlacesIntoItsArrays) {
  AttentionCache<float> cache{.room = 4};
  const auto places = [](float value, std::int64_t count) {
    return full<float>({1, 2, count, 3}, value);
  };
  cache.append(places(1, 2), places(2, 2));
  const void* const keys = cache.keys.array().data();
  cache.append(places(3, 1), places(4, 1));
  EXPECT_EQ(cache.keys.array().data(), keys);
  EXPECT_EQ(cache.places(), 3);
  const AttentionCache<float> before = cache;
  cache.append(places(5, 1), places(6, 1));
  EXPECT_NE(cache.keys.array().data(), keys) << "a copy of the cache keeps its arrays";
  EXPECT_EQ(before.from(before.values, 2), places(4, 1));
  EXPECT_EQ(cache.from(cache.values, 2),
            concatenate(std::vector<Tensor<float>>{places(4, 1), places(6, 1)}, 2));
}

TEST(AttentionCache, KeepsItsPlacesWhereNewOnesDoNotFit) {
  using ddx::testing::thrown;
  AttentionCache<float> cache{.room = 4};
  const auto one = ones<float>({1, 2, 1, 3});
  const auto other = ones<float>({1, 2, 1, 5});
  EXPECT_EQ(thrown<UsageError>([&] { cache.append(ones<float>({2, 3}), ones<float>({2, 3})); }),
            "AttentionCache: new keys [2, 3] and values [2, 3] are not both [n, heads, places, "
            "depth] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { cache.append(one, ones<float>({1, 2, 2, 3})); }),
            "AttentionCache: new keys [1, 2, 1, 3] and values [1, 2, 2, 3] are not both [n, heads, "
            "places, depth] (here)");
  cache.append(one, one);
  EXPECT_EQ(thrown<UsageError>([&] { cache.append(other, other); }),
            "AttentionCache: new places [1, 2, 1, 5] do not continue those of [1, 2, 4, 3], [n, "
            "heads, places, depth] (here)");
  const auto elsewhere = one.to(Device::naive());
  EXPECT_EQ(thrown<UsageError>([&] { cache.append(elsewhere, elsewhere); }),
            "update_at: operands lie on devices cpu and naive; shapes [1, 2, 4, 3] and [1, 2, 1, "
            "3] (here)");
  EXPECT_EQ(cache.places(), 1);
  EXPECT_EQ(cache.from(cache.keys, 0), one);
  EXPECT_EQ(cache.from(cache.values, 0), one);
}

TEST(AttentionCache, ThatWasMovedFromTakesNoPlaces) {
  AttentionCache<float> cache{.room = 4};
  const auto one = ones<float>({1, 2, 1, 3});
  cache.append(one, one);
  const AttentionCache<float> other = std::move(cache);
  EXPECT_EQ(ddx::testing::thrown<UsageError>(
                [&] { cache.append(one, one); }),  // NOLINT(bugprone-use-after-move)
            "AttentionCache: new places [1, 2, 1, 3] do not continue those of [], [n, heads, "
            "places, depth] (here)");
}

TEST(MultiHeadAttention, MistakesAreAnError) {
  using ddx::testing::message_of;
  using ddx::testing::thrown;
  EXPECT_EQ(message_of<UsageError>([] { MultiHeadAttention<float>{{.heads = 2}}; }),
            "MultiHeadAttention: features is 0, at least 1 is required");
  EXPECT_EQ(message_of<UsageError>([] { MultiHeadAttention<float>{{.features = 4, .heads = 3}}; }),
            "MultiHeadAttention: features is 4, no multiple of heads, which is 3");
  EXPECT_EQ(
      message_of<UsageError>([] { MultiHeadAttention<float>{{.features = 4, .dropout = 1}}; }),
      "MultiHeadAttention: dropout is 1, expected 0 <= dropout < 1");
  const MultiHeadAttention<float> layer{{.features = 4, .heads = 2}};
  EXPECT_EQ(thrown<UsageError>([&] { (void)layer(zeros<float>({3, 4})); }),
            "MultiHeadAttention: shape [3, 4] is not [n, time, features] (here)");
}

}  // namespace multi_head_attention_test
}  // namespace ddx::nn
