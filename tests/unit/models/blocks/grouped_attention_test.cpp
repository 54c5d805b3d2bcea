#include "ddx/models/blocks/grouped_attention.h"

#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/nn/attention/attention_cache.h"
#include "ddx/nn/attention/multi_head_attention.h"
#include "ddx/nn/attention/rotary_embedding.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/model_gradient.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/thrown.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>

namespace ddx::models {
namespace grouped_attention_test {

using ddx::testing::message_of;
using Layer = GroupedAttention<double>;

Tensor<double> sequence(std::int64_t time) {
  return random_normal<double>(RandomKey(1), {2, time, 8});
}

// nn::MultiHeadAttention is compared with PyTorch.
TEST(GroupedAttention, WithAHeadOfKeysForEachOfQueriesIsMultiHeadAttention) {
  const Layer layer({.features = 8,
                     .heads = 2,
                     .input_bias = true,
                     .output_bias = true,
                     .rotary = {.base = 50},
                     .initializer = nn::Initializer::normal(0, 1)});
  nn::MultiHeadAttention<double> other{
      {.features = 8, .heads = 2, .causal = true, .rotary = nn::RotaryOptions{.base = 50}}};
  other.query = layer.query;
  other.key = layer.key;
  other.value = layer.value;
  other.output = layer.output;
  const auto x = sequence(5);
  EXPECT_EQ(layer(x), other(x));
}

// A group of queries that share keys is two heads with these keys.
TEST(GroupedAttention, GroupsShareKeysAndValues) {
  const GroupedAttentionOptions options{
      .features = 8, .heads = 4, .initializer = nn::Initializer::normal(0, 1)};
  GroupedAttentionOptions grouped_options = options;
  grouped_options.key_heads = 2;
  const Layer grouped(grouped_options);
  Layer whole(options);
  whole.query = grouped.query;
  whole.output = grouped.output;
  const auto repeated = [](const Tensor<double>& weight) {
    return reshape(broadcast_to(reshape(weight, {8, 2, 1, 2}), {8, 2, 2, 2}), {8, 8});
  };
  whole.key.weight = repeated(grouped.key.weight);
  whole.value.weight = repeated(grouped.value.weight);
  EXPECT_LT(max(abs(grouped(sequence(5)) - whole(sequence(5)))).item(), 1e-14);
}

TEST(GroupedAttention, AWindowEndsAtThePlaceItself) {
  const Layer layer({.features = 8,
                     .heads = 4,
                     .key_heads = 2,
                     .window = 3,
                     .initializer = nn::Initializer::normal(0, 1)});
  const auto x = sequence(6);
  const auto y = layer(x);
  EXPECT_EQ(y.shape(), (Shape{2, 6, 8}));
  // Place 5 sees the places 3 to 5, and rotations depend on distances alone.
  const auto alone = layer(slice(x, {.start = {0, 3, 0}}));
  EXPECT_LT(max(abs(slice(y, {.start = {0, 5, 0}}) - slice(alone, {.start = {0, 2, 0}}))).item(),
            1e-14);
}

// Queries attend in several parts where the sequence is much longer than the window.
TEST(GroupedAttention, AWindowOfALongSequenceIsThatOfEachPlace) {
  const std::int64_t time = 2 * detail::least_queries + 5;
  for (const std::int64_t window : {3, 70}) {
    const Layer layer({.features = 8,
                       .heads = 4,
                       .key_heads = 2,
                       .window = window,
                       .initializer = nn::Initializer::normal(0, 1)});
    const auto x = sequence(time);
    const auto y = layer(x);
    for (const std::int64_t end :
         {std::int64_t{1}, detail::least_queries, detail::least_queries + 1, time - 1, time}) {
      const std::int64_t begin = std::max<std::int64_t>(0, end - window);
      const auto alone = layer(slice(x, {.start = {0, begin, 0}, .stop = {2, end, 8}}));
      const auto last = slice(alone, {.start = {0, -1, 0}});
      const auto expected = slice(y, {.start = {0, end - 1, 0}, .stop = {2, end, 8}});
      EXPECT_LT(max(abs(last - expected)).item(), 1e-13) << window << ", " << end;
    }
  }
}

TEST(GroupedAttention, GradientAgreesWithDifferences) {
  const Layer layer({.features = 2,
                     .heads = 1,
                     .head_norm = RMSNormSettings{},
                     .window = 3,
                     .initializer = nn::Initializer::normal(0, 1)});
  const std::int64_t time = detail::least_queries + 3;
  ddx::testing::expect_gradient(layer, random_normal<double>(RandomKey(1), {1, time, 2}), 1e-6);
}

TEST(GroupedAttention, PlaceByPlaceIsTheWhole) {
  for (const std::int64_t window : {0, 1, 3, 9}) {
    const Layer layer({.features = 8,
                       .heads = 4,
                       .key_heads = 2,
                       .head_features = 6,
                       .head_norm = RMSNormSettings{},
                       .scale = 0.7,
                       .window = window,
                       .initializer = nn::Initializer::normal(0, 1)});
    const auto x = sequence(7);
    const auto whole = layer(x);
    for (const std::int64_t room : {0, 8, 2}) {
      nn::AttentionCache<double> cache{.room = room};
      std::int64_t begin = 0;
      for (const std::int64_t end : {2, 3, 6, 7}) {
        const auto y = layer.extend(slice(x, {.start = {0, begin, 0}, .stop = {2, end, 8}}), cache);
        const auto expected = slice(whole, {.start = {0, begin, 0}, .stop = {2, end, 8}});
        EXPECT_LT(max(abs(y - expected)).item(), 1e-13) << window << ", " << room << ", " << end;
        begin = end;
      }
    }
  }
}

TEST(GroupedAttention, MistakesAreAnError) {
  EXPECT_EQ(message_of<UsageError>([] { Layer({.features = 0}); }),
            "GroupedAttention: features is 0, at least 1 is required");
  EXPECT_EQ(message_of<UsageError>([] { Layer({.features = 8, .heads = 4, .key_heads = 3}); }),
            "GroupedAttention: heads is 4, no multiple of key_heads, which is 3");
  EXPECT_EQ(message_of<UsageError>([] { Layer({.features = 8, .heads = 3}); }),
            "GroupedAttention: features is 8, no multiple of heads, which is 3");
  EXPECT_EQ(message_of<UsageError>([] { Layer({.features = 8, .window = -1}); }),
            "GroupedAttention: window is -1, at least 0 is required");
  const Layer layer({.features = 8, .heads = 2});
  EXPECT_EQ(ddx::testing::thrown<UsageError>([&] { (void)layer(zeros<double>({3, 8})); }),
            "GroupedAttention: shape [3, 8] is not [n, time, features] (here)");
}

}  // namespace grouped_attention_test
}  // namespace ddx::models
