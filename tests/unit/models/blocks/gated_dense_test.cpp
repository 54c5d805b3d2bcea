#include "ddx/models/blocks/gated_dense.h"

#include "ddx/core/error.h"
#include "ddx/nn/activation.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/temporary_folder.h"

#include <cmath>
#include <gtest/gtest.h>

namespace ddx::models {
namespace gated_dense_test {

TEST(GatedDense, MultipliesByTheGate) {
  GatedDense<double> layer({.features = 1, .hidden = 2});
  layer.gate.weight = Tensor<double>{{1, -2}};
  layer.up.weight = Tensor<double>{{3, 5}};
  layer.down.weight = Tensor<double>({2, 1}, {7, 11});
  const auto silu = [](double x) { return x / (1 + std::exp(-x)); };
  const double x = 0.4;
  EXPECT_NEAR(layer(Tensor<double>({1, 1}, {x})).item(),
              7 * silu(x) * 3 * x + 11 * silu(-2 * x) * 5 * x, 1e-14);
  layer.gate.activation = nn::Activation::Identity;
  EXPECT_NEAR(layer(Tensor<double>({1, 1}, {x})).item(), (7 * 3 - 2 * 11 * 5) * x * x, 1e-14);
}

TEST(GatedDense, MistakesAreAnError) {
  EXPECT_EQ(ddx::testing::message_of<UsageError>([] { GatedDense<float>({.features = 3}); }),
            "Dense: out is 0, at least 1 is required");
}

}  // namespace gated_dense_test
}  // namespace ddx::models
