#include "ddx/nn/layers/sequential.h"

#include "ddx/core/random_key.h"
#include "ddx/nn/layers/dense.h"
#include "ddx/nn/layers/flatten.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/model_gradient.h"

#include <gtest/gtest.h>

namespace ddx::nn {
namespace sequential_test {

const Sequential layers{Flatten<double>(),
                        Dense<double>{{.in = 6, .out = 4, .activation = Activation::Tanh}},
                        Dense<double>{{.in = 4, .out = 2}}};

TEST(Sequential, AppliesOneLayerAfterTheOther) {
  const auto x = random_normal<double>(RandomKey(1), {3, 2, 3});
  EXPECT_EQ(layers(x), layers.rest.rest.first(layers.rest.first(layers.first(x))));
}

TEST(Sequential, GradientAgreesWithDifferences) {
  ddx::testing::expect_gradient(layers, random_normal<double>(RandomKey(1), {3, 2, 3}));
}

TEST(Sequential, OneLayerIsASequence) {
  const Sequential one{Flatten<double>()};
  EXPECT_EQ(one(Tensor<double>{1.0}).shape(), (Shape{1, 1}));
}

}  // namespace sequential_test
}  // namespace ddx::nn
