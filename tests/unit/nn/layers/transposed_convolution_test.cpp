#include "ddx/nn/layers/transposed_convolution.h"

#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/tensor.h"
#include "ddx/tensor/transposed_convolution.h"

#include "tests/support/model_gradient.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

namespace ddx::nn {
namespace transposed_convolution_test {

using ddx::testing::message_of;

TEST(TransposedConv2D, PutsMultiplesOfTheFilterIntoTheResultAndAddsTheBias) {
  TransposedConv2D<double> layer{{.in = 1, .out = 1, .kernel = {1, 2}, .strides = {1, 2}}};
  layer.filter = Tensor<double>({1, 2, 1, 1}, {1, 2});
  layer.bias = Tensor<double>{0.5};
  EXPECT_EQ(layer(Tensor<double>({1, 1, 2, 1}, {1, 10})),
            (Tensor<double>({1, 1, 4, 1}, {1.5, 2.5, 10.5, 20.5})));
}

TEST(TransposedConvolution, GradientAgreesWithDifferences) {
  const TransposedConv1D<double> of_signals{{.in = 4,
                                             .out = 2,
                                             .kernel = {3},
                                             .strides = {3},
                                             .groups = 2,
                                             .extents = {14},
                                             .key = RandomKey(3)}};
  const auto signals = random_normal<double>(RandomKey(1), {2, 4, 4});
  EXPECT_EQ(of_signals(signals).shape(), (Shape{2, 14, 2}));
  ddx::testing::expect_gradient(of_signals, signals);
  const TransposedConv2D<double> of_images{{.in = 3,
                                            .out = 2,
                                            .strides = {2, 1},
                                            .padding = Padding::Same,
                                            .activation = Activation::Tanh,
                                            .key = RandomKey(3)}};
  const auto images = random_normal<double>(RandomKey(1), {2, 3, 4, 3});
  EXPECT_EQ(of_images(images).shape(), (Shape{2, 6, 4, 2}));
  ddx::testing::expect_gradient(of_images, images);
  ddx::testing::expect_gradient(
      TransposedConv3D<double>{
          {.in = 2, .out = 2, .kernel = {2, 1, 2}, .bias = false, .key = RandomKey(3)}},
      random_normal<double>(RandomKey(1), {1, 2, 3, 2, 2}));
}

TEST(TransposedConvolution, ImpossibleOptionsAreAnError) {
  EXPECT_EQ(message_of<UsageError>([] { TransposedConv1D<float>{{.in = 0, .out = 5}}; }),
            "TransposedConv1D: in is 0, at least 1 is required");
  EXPECT_EQ(message_of<UsageError>(
                [] { TransposedConv3D<float>{{.in = 1, .out = 1, .extents = {0, -1, 0}}}; }),
            "TransposedConv3D: extents is -1, at least 0 is required");
}

}  // namespace transposed_convolution_test
}  // namespace ddx::nn
