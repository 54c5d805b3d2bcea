#include "ddx/nn/layers/residual.h"

#include "ddx/core/random_key.h"
#include "ddx/nn/layers/dense.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/model_gradient.h"

#include <gtest/gtest.h>

namespace ddx::nn {
namespace residual_test {

TEST(Residual, AddsTheInputOrTheShortcut) {
  const auto x = random_normal<double>(RandomKey(1), {4, 3});
  const Dense<double> same{{.in = 3, .out = 3, .activation = Activation::Tanh}};
  EXPECT_EQ(Residual(same)(x), same(x) + x);
  const Dense<double> layer{{.in = 3, .out = 2}};
  const Dense<double> shortcut{{.in = 3, .out = 2, .key = RandomKey(2)}};
  EXPECT_EQ(Residual(layer, shortcut)(x), layer(x) + shortcut(x));
}

TEST(Residual, GradientAgreesWithDifferences) {
  const auto x = random_normal<double>(RandomKey(1), {4, 3});
  ddx::testing::expect_gradient(
      Residual(Dense<double>{{.in = 3, .out = 3, .activation = Activation::Tanh}}), x);
  ddx::testing::expect_gradient(Residual(Dense<double>{{.in = 3, .out = 2}},
                                         Dense<double>{{.in = 3, .out = 2, .key = RandomKey(2)}}),
                                x);
}

}  // namespace residual_test
}  // namespace ddx::nn
