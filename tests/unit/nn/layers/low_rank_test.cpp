#include "ddx/nn/layers/low_rank.h"

#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/nn/layers/dense.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/model_gradient.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace ddx::nn {
namespace low_rank_test {

using ddx::testing::message_of;

LowRank<double> by_hand(bool is_stabilised) {
  LowRank<double> layer({.in = 2, .out = 2, .rank = 4, .alpha = 6, .is_stabilised = is_stabilised});
  layer.down = {{1, 0, 0, 0}, {2, 0, 0, 0}};
  layer.up = {{5, 7}, {0, 0}, {0, 0}, {0, 0}};
  return layer;
}

TEST(LowRank, IsAProductOfTwoMatricesTimesItsScale) {
  const Tensor<double> x{{1, 1}};
  EXPECT_EQ(by_hand(false)(x), (Tensor<double>{{22.5, 31.5}}));  // 6 / 4 (1 + 2) (5, 7)
  EXPECT_EQ(by_hand(true)(x), (Tensor<double>{{45, 63}}));       // 6 / 2 (1 + 2) (5, 7)
  EXPECT_EQ(by_hand(true).weight(), (Tensor<double>{{15, 21}, {30, 42}}));
}

TEST(LowRank, BeginsAsZeroWithABoundedFirstMatrix) {
  const LowRank<float> layer({.in = 16, .out = 3, .rank = 5, .key = RandomKey(3)});
  EXPECT_EQ(layer.up, Tensor<float>({5, 3}, std::vector<float>(15)));
  float greatest = 0;
  for (const float number : layer.down.elements()) {
    greatest = std::max(greatest, std::abs(number));
  }
  EXPECT_LE(greatest, 0.25F);
  EXPECT_GT(greatest, 0.2F);
}

TEST(LowRank, ADenseLayerAddsItBeforeTheActivation) {
  Dense<double> layer({.in = 2, .out = 2, .activation = Activation::ReLU});
  layer.weight = {{1, 2}, {3, 4}};
  layer.bias = {10, -100};
  layer.low_rank = {by_hand(false)};
  EXPECT_EQ(layer(Tensor<double>{{1, 1}}), (Tensor<double>{{36.5, 0}}));
  layer.activation = Activation::Tanh;
  layer.bias = {-36, -36};
  ddx::testing::expect_gradient(layer, Tensor<double>{{1, 1}, {0.5, 0.75}});
}

TEST(LowRank, DropsInputsInTrainingStepsOnly) {
  LowRank<double> layer({.in = 64, .out = 1, .rank = 1, .alpha = 1, .dropout = 0.5});
  layer.down = full<double>({64, 1}, 1);
  layer.up = {{1}};
  const auto x = full<double>({1, 64}, 1);
  EXPECT_EQ(layer(x).item(), 64);
  begin_step(layer, RandomKey(4));
  const double kept = layer(x).item() / 2;
  EXPECT_EQ(kept, std::round(kept));
  EXPECT_GT(kept, 16);
  EXPECT_LT(kept, 48);
  end_step(layer);
  EXPECT_EQ(layer(x).item(), 64);
}

TEST(LowRank, MistakesAreAnError) {
  EXPECT_EQ(message_of<UsageError>([] { LowRank<float>({.in = 2, .out = 2, .rank = 0}); }),
            "LowRank: rank is 0, at least 1 is required");
}

}  // namespace low_rank_test
}  // namespace ddx::nn
