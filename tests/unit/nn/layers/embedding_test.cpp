#include "ddx/nn/layers/embedding.h"

#include "ddx/ad/operators.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_layers.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/thrown.h"

#include <cstdint>
#include <gtest/gtest.h>

namespace ddx::nn {
namespace embedding_test {

TEST(Embedding, AgreesWithPyTorch) {
  Embedding<double> layer{{.count = 5, .features = 3}};
  layer.weight = ddx::testing::numbers({5, 3}, 1);
  const Tensor<std::int32_t> words{{0, 4}, {2, 2}};
  const auto y = layer(words);
  EXPECT_EQ(y.shape(), (Shape{2, 2, 3}));
  ddx::testing::expect_recorded("embedding", y);
  const auto weights = ddx::testing::numbers(y.shape(), 50);
  const auto slope =
      gradient([&](const Embedding<double>& model) { return sum(model(words) * weights); }, layer);
  ddx::testing::expect_recorded("embedding.weight", slope.weight);
}

TEST(Embedding, DrawsItsWeightFromTheKey) {
  const Embedding<double> layer{
      {.count = 100, .features = 50, .deviation = 2, .key = RandomKey(3)}};
  EXPECT_EQ(layer.weight, random_normal<double>(RandomKey(3), {100, 50}, {.deviation = 2}));
}

TEST(Embedding, MistakesAreAnError) {
  using ddx::testing::message_of;
  EXPECT_EQ(message_of<UsageError>([] { Embedding<float>{{.features = 3}}; }),
            "Embedding: count is 0, at least 1 is required");
  const Embedding<float> layer{{.count = 2, .features = 3}};
  EXPECT_EQ(ddx::testing::thrown<UsageError>([&] { (void)layer(Tensor<std::int32_t>{2}); }),
            "gather: index 2 at position 0 is not in [0, 2) (here)");
}

}  // namespace embedding_test
}  // namespace ddx::nn
