#include "ddx/nn/attention/rotary_embedding.h"

#include "ddx/ad/operators.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_layers.h"
#include "tests/support/thrown.h"

#include <cstdint>
#include <gtest/gtest.h>

namespace ddx::nn {
namespace rotary_embedding_test {

TEST(RotaryEmbedding, AgreesWithMultiplicationOfComplexNumbers) {
  const auto x = ddx::testing::numbers({2, 5, 6}, 1);
  (void)ddx::testing::recorded_gradient(
      "rotary_neighbours",
      RotaryEmbedding<double>{{.base = 100, .pairs = RotaryPairs::Neighbours, .first = 3}}, x);
  (void)ddx::testing::recorded_gradient("rotary_halves",
                                        RotaryEmbedding<double>{{.base = 100, .first = 3}}, x);
}

TEST(RotaryEmbedding, ProductsDependOnDistancesAlone) {
  const auto x = random_normal<double>(RandomKey(1), {1, 8});
  const auto y = random_normal<double>(RandomKey(2), {1, 8});
  const auto product = [&](std::int64_t of_x, std::int64_t of_y) {
    return sum(rotary_embedding(x, {.first = of_x}) * rotary_embedding(y, {.first = of_y})).item();
  };
  EXPECT_NEAR(product(7, 3), product(104, 100), 1e-12);
  EXPECT_NE(product(7, 3), product(7, 4));
}

TEST(RotaryEmbedding, MistakesAreAnError) {
  using ddx::testing::thrown;
  EXPECT_EQ(thrown<UsageError>([] { (void)rotary_embedding(zeros<float>({2, 3})); }),
            "rotary_embedding: shape [2, 3] is not [..., time, depth] of an even depth (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)rotary_embedding(zeros<float>({2, 4}), {.base = 0}); }),
            "rotary_embedding: base is 0, expected a finite number above 0");
}

}  // namespace rotary_embedding_test
}  // namespace ddx::nn
