#include "ddx/models/blocks/decoder_block.h"

#include "ddx/core/random_key.h"
#include "ddx/nn/attention/attention_cache.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include <gtest/gtest.h>

namespace ddx::models {
namespace decoder_block_test {

const DecoderBlockOptions small{
    .attention = {.features = 8, .heads = 2, .initializer = nn::Initializer::normal(0, 1)},
    .hidden = 5};

TEST(DecoderBlock, AddsAttentionAndThenDenseLayers) {
  const auto x = random_normal<double>(RandomKey(1), {2, 3, 8});
  DecoderBlockOptions options = small;
  const DecoderBlock<double> plain(options);
  EXPECT_FALSE(plain.attended_norm || plain.result_norm);
  const auto attended = x + plain.attention(plain.attention_norm(x));
  EXPECT_EQ(plain(x), attended + plain.dense(plain.dense_norm(attended)));
  options.norms_results = true;
  const DecoderBlock<double> normed(options);
  const auto between = x + (*normed.attended_norm)(normed.attention(normed.attention_norm(x)));
  EXPECT_EQ(normed(x), between + (*normed.result_norm)(normed.dense(normed.dense_norm(between))));
}

TEST(DecoderBlock, ContinuesASequence) {
  const DecoderBlock<double> block(small);
  const auto x = random_normal<double>(RandomKey(1), {2, 3, 8});
  nn::AttentionCache<double> cache;
  (void)block.extend(slice(x, {.start = {0, 0, 0}, .stop = {2, 2, 8}}), cache);
  const auto last = block.extend(slice(x, {.start = {0, 2, 0}}), cache);
  EXPECT_LT(max(abs(last - slice(block(x), {.start = {0, 2, 0}}))).item(), 1e-13);
}

}  // namespace decoder_block_test
}  // namespace ddx::models
