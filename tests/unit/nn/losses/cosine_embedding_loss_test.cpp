#include "ddx/nn/losses/cosine_embedding_loss.h"

#include "ddx/ad/operators.h"
#include "ddx/core/error.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_loss.h"
#include "tests/support/thrown.h"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>

namespace ddx::nn {
namespace cosine_embedding_loss_test {

using ddx::testing::LossOperands;

const LossOperands given;

TEST(CosineEmbeddingLoss, HasTheRecordedValueAndGradient) {
  ddx::testing::expect_recorded_loss(
      "cosine_embedding",
      [](const Tensor<double>& x) {
        return cosine_embedding_loss(x, given.near, given.pair_labels, {.margin = -0.9});
      },
      given.anchor);
}

TEST(CosineEmbeddingLoss, GradientsAgreeWithDifferences) {
  ddx::testing::expect_differences(
      [](const Tensor<double>& x, const Tensor<double>& y) {
        return cosine_embedding_loss(x, y, given.pair_labels, {.margin = -0.9});
      },
      given.anchor, given.near);
}

TEST(CosineEmbeddingLoss, ReducesAsAsked) {
  ddx::testing::expect_reductions([](Reduction reduction) {
    return cosine_embedding_loss(given.anchor, given.near, given.pair_labels,
                                 {.margin = -0.9, .reduction = reduction});
  });
}

TEST(CosineEmbeddingLoss, ARowOfZerosHasAFiniteGradient) {
  const auto [value, slope] = value_with_gradient(
      [](const Tensor<double>& x) {
        return cosine_embedding_loss(x, Tensor<double>{{3.0, 4.0}}, Tensor<std::int32_t>{1});
      },
      Tensor<double>{{0.0, 0.0}});
  EXPECT_EQ(value.item(), 1);
  EXPECT_TRUE(std::isfinite(slope.elements()[0]));
}

TEST(CosineEmbeddingLoss, ImpossibleOperandsAreAnError) {
  using ddx::testing::thrown;
  EXPECT_EQ(thrown<UsageError>([] {
              (void)cosine_embedding_loss(given.anchor, given.near, Tensor<std::int32_t>{1, 0});
            }),
            "cosine_embedding_loss: label 1 is 0, expected 1 or -1 (here)");
  EXPECT_EQ(thrown<UsageError>([] {
              (void)cosine_embedding_loss(given.anchor, given.near, Tensor<std::int32_t>{1});
            }),
            "cosine_embedding_loss: labels has shape [1], the list of rows has shape [2] (here)");
  EXPECT_EQ(thrown<UsageError>([] {
              (void)cosine_embedding_loss(given.anchor, given.near, given.pair_labels,
                                          {.margin = 2});
            }),
            "cosine_embedding_loss: margin is 2, expected -1 <= margin <= 1");
}

}  // namespace cosine_embedding_loss_test
}  // namespace ddx::nn
