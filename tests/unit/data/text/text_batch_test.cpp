#include "ddx/data/text/text_batch.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/data/text/encoded_text.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace ddx::data {
namespace text_batch_test {

using ddx::testing::thrown;

using Ints = Tensor<std::int32_t>;

const std::vector<EncodedText> texts = {
    {.ids = {5, 6, 7}, .segments = {0, 1, 1}}, {.ids = {}}, {.ids = {8}}};

TEST(TextBatch, FillsUpToTheLongest) {
  const auto batch = padded_batch(texts, {.padding_id = 9});
  EXPECT_EQ(batch.ids, (Ints{{5, 6, 7}, {9, 9, 9}, {8, 9, 9}}));
  EXPECT_EQ(batch.mask, (Ints{{1, 1, 1}, {0, 0, 0}, {1, 0, 0}}));
  EXPECT_EQ(batch.segments, (Ints{{0, 1, 1}, {0, 0, 0}, {0, 0, 0}}));
}

TEST(TextBatch, FillsUpToALength) {
  const auto batch = padded_batch(texts, {.length = 4, .device = Device::naive()});
  EXPECT_EQ(batch.ids, (Ints{{5, 6, 7, 0}, {0, 0, 0, 0}, {8, 0, 0, 0}}));
  EXPECT_EQ(batch.ids.device(), Device::naive());
  EXPECT_EQ(batch, padded_batch(texts, {.length = 4}));
}

TEST(TextBatch, NoTextGivesNoRow) {
  EXPECT_EQ(padded_batch({}, {}).ids.shape(), (Shape{0, 0}));
  EXPECT_EQ(padded_batch({}, {.length = 3}).mask.shape(), (Shape{0, 3}));
}

TEST(TextBatch, ALengthThatNothingHoldsIsAnError) {
  // 4 (2^62 + 1) is 4 modulo 2^64.
  const std::vector<EncodedText> four(4, texts[0]);
  EXPECT_EQ(
      thrown<UsageError>(
          [&] { (void)padded_batch(four, {.length = (std::int64_t{1} << 62) + 1}); }),
      "padded_batch: extents [4, 4611686018427387905] multiply to more than 576460752303423487 "
      "(here)");
  EXPECT_EQ(thrown<EnvironmentError>(
                [&] { (void)padded_batch(four, {.length = std::int64_t{1} << 56}); }),
            "padded_batch: the system has no memory for 288230376151711744 elements");
}

TEST(TextBatch, WhatDoesNotFitIsAnError) {
  EXPECT_EQ(thrown<UsageError>([] { (void)padded_batch(texts, {.length = 2}); }),
            "padded_batch: a text of 3 ids does not fit a length of 2 (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)padded_batch({}, {.length = -1}); }),
            "padded_batch: a text of 0 ids does not fit a length of -1 (here)");
  const std::vector<EncodedText> wrong = {{.ids = {1, 2}, .segments = {0}}};
  EXPECT_EQ(thrown<UsageError>([&] { (void)padded_batch(wrong, {}); }),
            "padded_batch: a text of 2 ids has 1 segments (here)");
}

}  // namespace text_batch_test
}  // namespace ddx::data
