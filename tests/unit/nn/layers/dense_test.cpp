#include "ddx/nn/layers/dense.h"

#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/model_gradient.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

namespace ddx::nn {
namespace dense_test {

TEST(Dense, IsAMatrixProductWithBiasAndActivation) {
  Dense<double> layer{{.in = 2, .out = 3, .activation = Activation::ReLU}};
  layer.weight = Tensor<double>{{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}};
  layer.bias = Tensor<double>{-100.0, 0.5, 0.0};
  // (1, 10) W = (41, 52, 63)
  EXPECT_EQ(layer(Tensor<double>{{1.0, 10.0}}), (Tensor<double>{{0.0, 52.5, 63.0}}));
}

TEST(Dense, GradientAgreesWithDifferences) {
  const auto x = random_normal<double>(RandomKey(1), {3, 4});
  ddx::testing::expect_gradient(Dense<double>{{.in = 4, .out = 2, .activation = Activation::Tanh}},
                                x);
  ddx::testing::expect_gradient(Dense<double>{{.in = 4, .out = 2}}, x);
  ddx::testing::expect_gradient(
      Dense<double>{{.in = 4, .out = 2, .bias = false, .activation = Activation::Sigmoid}}, x);
}

TEST(Dense, HasShapesAndInitialValuesFromItsOptions) {
  const Dense<float> layer{{.in = 3, .out = 5, .key = RandomKey(9)}};
  EXPECT_EQ(layer.weight.shape(), (Shape{3, 5}));
  EXPECT_EQ(layer.bias, zeros<float>({5}));
  EXPECT_EQ(layer.weight, initial_values<float>(Initializer::GlorotUniform, {3, 5},
                                                {.in = 3, .out = 5}, RandomKey(9)));
  EXPECT_EQ((Dense<float>{{.in = 3, .out = 5, .bias = false}}.bias.shape()), (Shape{0}));
}

TEST(Dense, ImpossibleOptionsAreAnError) {
  using ddx::testing::message_of;
  EXPECT_EQ(message_of<UsageError>([] { Dense<float>{{.out = 5}}; }),
            "Dense: in is 0, at least 1 is required");
  EXPECT_EQ(message_of<UsageError>([] { Dense<float>{{.in = 5, .out = -2}}; }),
            "Dense: out is -2, at least 1 is required");
}

}  // namespace dense_test
}  // namespace ddx::nn
