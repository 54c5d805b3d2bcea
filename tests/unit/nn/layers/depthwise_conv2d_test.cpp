#include "ddx/nn/layers/depthwise_conv2d.h"

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
namespace depthwise_conv2d_test {

using ddx::testing::message_of;

TEST(DepthwiseConv2D, IsTheFunctionOfItsNameAndTheBias) {
  const DepthwiseConv2D<double> layer{
      {.in = 3, .multiplier = 2, .kernel = {2, 3}, .strides = {2, 1}, .key = RandomKey(3)}};
  const auto x = random_normal<double>(RandomKey(1), {2, 5, 6, 3});
  EXPECT_EQ(layer.filter.shape(), (Shape{2, 3, 3, 2}));
  EXPECT_EQ(layer.bias.shape(), (Shape{6}));
  EXPECT_EQ(layer(x), depthwise_conv2d(x, layer.filter, {.strides = {2, 1}}));
}

TEST(DepthwiseConv2D, GradientAgreesWithDifferences) {
  const auto x = random_normal<double>(RandomKey(1), {2, 5, 6, 3});
  ddx::testing::expect_gradient(DepthwiseConv2D<double>{{.in = 3,
                                                         .multiplier = 2,
                                                         .padding = Padding::Same,
                                                         .dilations = {2, 1},
                                                         .activation = Activation::Tanh,
                                                         .key = RandomKey(3)}},
                                x);
  ddx::testing::expect_gradient(
      DepthwiseConv2D<double>{{.in = 3, .bias = false, .key = RandomKey(3)}}, x);
}

TEST(DepthwiseConv2D, ImpossibleOptionsAreAnError) {
  EXPECT_EQ(message_of<UsageError>([] { DepthwiseConv2D<float>{{.in = 2, .multiplier = 0}}; }),
            "DepthwiseConv2D: multiplier is 0, at least 1 is required");
}

}  // namespace depthwise_conv2d_test
}  // namespace ddx::nn
