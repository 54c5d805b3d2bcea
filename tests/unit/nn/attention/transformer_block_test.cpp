#include "ddx/nn/attention/transformer_block.h"

#include "ddx/ad/operators.h"
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

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::nn {
namespace transformer_block_test {

using ddx::testing::expect_recorded;
using ddx::testing::numbers;

TransformerBlock<double> recorded_block(NormOrder order) {
  TransformerBlock<double> block{
      {.features = 4, .heads = 2, .hidden = 6, .order = order, .causal = true}};
  const auto weights = split_equally(numbers({12, 4}, 100), 3);
  const auto biases = split_equally(numbers({12}, 200), 3);
  block.attention.query.weight = transpose(weights[0]);
  block.attention.key.weight = transpose(weights[1]);
  block.attention.value.weight = transpose(weights[2]);
  block.attention.query.bias = biases[0];
  block.attention.key.bias = biases[1];
  block.attention.value.bias = biases[2];
  block.attention.output.weight = transpose(numbers({4, 4}, 300));
  block.attention.output.bias = numbers({4}, 400);
  block.widen.weight = transpose(numbers({6, 4}, 500));
  block.widen.bias = numbers({6}, 600);
  block.narrow.weight = transpose(numbers({4, 6}, 700));
  block.narrow.bias = numbers({4}, 800);
  block.attention_norm.scale = numbers({4}, 900);
  block.attention_norm.offset = numbers({4}, 1000);
  block.dense_norm.scale = numbers({4}, 1100);
  block.dense_norm.offset = numbers({4}, 1200);
  return block;
}

void expect_recorded_block(const std::string& name, NormOrder order) {
  const auto slope =
      ddx::testing::recorded_gradient(name, recorded_block(order), numbers({2, 3, 4}, 1));
  const auto& [query, key, value, output] = slope.attention.ddx_fields();
  expect_recorded(name + ".self_attn.in_proj_weight",
                  concatenate(std::vector{transpose(query.weight), transpose(key.weight),
                                          transpose(value.weight)}));
  expect_recorded(name + ".self_attn.in_proj_bias",
                  concatenate(std::vector{query.bias, key.bias, value.bias}));
  expect_recorded(name + ".self_attn.out_proj.weight", transpose(output.weight));
  expect_recorded(name + ".self_attn.out_proj.bias", output.bias);
  expect_recorded(name + ".linear1.weight", transpose(slope.widen.weight));
  expect_recorded(name + ".linear1.bias", slope.widen.bias);
  expect_recorded(name + ".linear2.weight", transpose(slope.narrow.weight));
  expect_recorded(name + ".linear2.bias", slope.narrow.bias);
  expect_recorded(name + ".norm1.weight", slope.attention_norm.scale);
  expect_recorded(name + ".norm1.bias", slope.attention_norm.offset);
  expect_recorded(name + ".norm2.weight", slope.dense_norm.scale);
  expect_recorded(name + ".norm2.bias", slope.dense_norm.offset);
}

TEST(TransformerBlock, AgreesWithPyTorch) {
  expect_recorded_block("block_before", NormOrder::Before);
  expect_recorded_block("block_after", NormOrder::After);
}

TEST(TransformerBlock, GradientAgreesWithDifferencesInAStep) {
  for (const NormOrder order : {NormOrder::Before, NormOrder::After}) {
    TransformerBlock<double> block{{.features = 4,
                                    .heads = 2,
                                    .hidden = 3,
                                    .order = order,
                                    .dropout = 0.25,
                                    .rotary = RotaryOptions{},
                                    .key = RandomKey(5)}};
    begin_step(block, RandomKey(6));
    ddx::testing::expect_gradient(block, random_normal<double>(RandomKey(1), {2, 3, 4}), 1e-6);
  }
}

// BERT and GPT-2 drop out weights of attention, its result and the result of the second dense
// layer.
TEST(TransformerBlock, DropsOutWhereBertAndGptDo) {
  using Options = TransformerBlock<double>::Options;
  Options options{.features = 4, .heads = 2, .hidden = 6, .dropout = 0.5, .key = RandomKey(5)};
  TransformerBlock<double> block{options};
  EXPECT_EQ(block.attention.dropout, 0.5);
  EXPECT_EQ(block.attention_dropout.rate, 0.5);
  EXPECT_EQ(block.hidden_dropout.rate, 0);
  EXPECT_EQ(block.output_dropout.rate, 0.5);
  begin_step(block, RandomKey(6));
  const auto x = random_normal<double>(RandomKey(1), {2, 3, 4});
  const auto sum = x + block.attention_dropout(block.attention(block.attention_norm(x)));
  const auto expected =
      sum + block.output_dropout(block.narrow(block.widen(block.dense_norm(sum))));
  EXPECT_EQ(block(x), expected);
  EXPECT_NE(block.output_dropout(expected), expected);
  options.attention_dropout = 0.1;
  options.activation_dropout = 0.25;
  const TransformerBlock<double> other{options};
  EXPECT_EQ(other.attention.dropout, 0.1);
  EXPECT_EQ(other.hidden_dropout.rate, 0.25);
}

TEST(TransformerBlock, PlaceByPlaceIsTheWhole) {
  for (const NormOrder order : {NormOrder::Before, NormOrder::After}) {
    const auto block = recorded_block(order);
    const auto x = random_normal<double>(RandomKey(1), {2, 4, 4});
    const auto whole = block(x);
    AttentionCache<double> cache;
    for (std::int64_t i = 0; i < 4; ++i) {
      const auto y = block.extend(slice(x, {.start = {0, i, 0}, .stop = {2, i + 1, 4}}), cache);
      const auto expected = slice(whole, {.start = {0, i, 0}, .stop = {2, i + 1, 4}});
      EXPECT_LT(max(abs(y - expected)).item(), 1e-13) << i;
    }
  }
}

TEST(TransformerBlock, WhatIsMaskedHasNoInfluence) {
  // Not causal: then the last place would have no influence anyway.
  const TransformerBlock<double> block{{.features = 4, .heads = 2, .key = RandomKey(5)}};
  const Tensor<bool> mask(Shape{1, 1, 1, 3}, {true, true, false});
  auto x = random_normal<double>(RandomKey(1), {1, 3, 4});
  const auto before = slice(block(x, mask), {.start = {0, 0, 0}, .stop = {1, 2, 4}});
  x.set({0, 2, 0}, 100);
  const auto after = slice(block(x, mask), {.start = {0, 0, 0}, .stop = {1, 2, 4}});
  EXPECT_EQ(before, after);
}

TEST(TransformerBlock, MistakesAreAnError) {
  using ddx::testing::message_of;
  EXPECT_EQ(message_of<UsageError>([] { TransformerBlock<float>{{.heads = 2}}; }),
            "TransformerBlock: features is 0, at least 1 is required");
  EXPECT_EQ(message_of<UsageError>([] { TransformerBlock<float>{{.features = 4, .hidden = -1}}; }),
            "TransformerBlock: hidden is -1, at least 0 is required");
}

}  // namespace transformer_block_test
}  // namespace ddx::nn
