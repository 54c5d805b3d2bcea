#include "ddx/nn/layers/separable_convolution.h"

#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/depthwise_convolution.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/model_gradient.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

namespace ddx::nn {
namespace separable_convolution_test {

using ddx::testing::message_of;

TEST(SeparableConvolution, IsTheFunctionOfItsNameAndTheBias) {
  const SeparableConv2D<double> layer{
      {.in = 3, .out = 5, .multiplier = 2, .kernel = {2, 3}, .key = RandomKey(3)}};
  const auto x = random_normal<double>(RandomKey(1), {2, 5, 6, 3});
  EXPECT_EQ(layer.depthwise.shape(), (Shape{2, 3, 3, 2}));
  EXPECT_EQ(layer.pointwise.shape(), (Shape{1, 1, 6, 5}));
  EXPECT_EQ(layer(x), separable_conv2d(x, layer.depthwise, layer.pointwise));
}

TEST(SeparableConvolution, GradientAgreesWithDifferences) {
  ddx::testing::expect_gradient(
      SeparableConv1D<double>{
          {.in = 3, .out = 4, .multiplier = 2, .strides = {2}, .bias = false, .key = RandomKey(3)}},
      random_normal<double>(RandomKey(1), {2, 8, 3}));
  ddx::testing::expect_gradient(SeparableConv2D<double>{{.in = 3,
                                                         .out = 2,
                                                         .padding = Padding::Same,
                                                         .activation = Activation::Tanh,
                                                         .key = RandomKey(3)}},
                                random_normal<double>(RandomKey(1), {2, 4, 3, 3}));
}

TEST(SeparableConvolution, ImpossibleOptionsAreAnError) {
  EXPECT_EQ(message_of<UsageError>([] { SeparableConv1D<float>{{.in = 2, .out = 0}}; }),
            "SeparableConv1D: out is 0, at least 1 is required");
  EXPECT_EQ(
      message_of<UsageError>([] { SeparableConv2D<float>{{.in = 2, .out = 1, .kernel = {0, 1}}}; }),
      "SeparableConv2D: kernel is 0, at least 1 is required");
}

}  // namespace separable_convolution_test
}  // namespace ddx::nn
