#include "ddx/nn/layers/convolution.h"

#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/tensor/convolution.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/model_gradient.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>
#include <vector>

namespace ddx::nn {
namespace convolution_test {

TEST(Conv2D, SlidesTheFilterAndAddsTheBias) {
  Conv2D<double> layer{{.in = 1, .out = 1, .kernel = {2, 2}}};
  layer.filter = Tensor<double>({2, 2, 1, 1}, std::vector<double>{1, 2, 3, 4});
  layer.bias = Tensor<double>{0.5};
  const Tensor<double> x({1, 2, 3, 1}, std::vector<double>{1, 2, 3, 4, 5, 6});
  // 1 + 2*2 + 3*4 + 4*5 = 37, 2 + 2*3 + 3*5 + 4*6 = 47
  EXPECT_EQ(layer(x), (Tensor<double>({1, 1, 2, 1}, std::vector<double>{37.5, 47.5})));
}

TEST(Conv2D, GradientAgreesWithDifferences) {
  const auto x = random_normal<double>(RandomKey(1), {2, 5, 6, 2});
  ddx::testing::expect_gradient(Conv2D<double>{{.in = 2,
                                                .out = 3,
                                                .kernel = {3, 2},
                                                .padding = Padding::Same,
                                                .activation = Activation::Tanh}},
                                x);
  ddx::testing::expect_gradient(
      Conv2D<double>{{.in = 2, .out = 3, .strides = {2, 1}, .bias = false}}, x);
}

TEST(Conv2D, InitialValuesCountThePointsOfTheFilter) {
  const Conv2D<float> layer{{.in = 2, .out = 4, .kernel = {5, 3}, .key = RandomKey(9)}};
  EXPECT_EQ(layer.filter.shape(), (Shape{5, 3, 2, 4}));
  EXPECT_EQ(layer.filter, initial_values<float>(Initializer::GlorotUniform, {5, 3, 2, 4},
                                                {.in = 30, .out = 60}, RandomKey(9)));
}

TEST(Conv1D, GradientAgreesWithDifferences) {
  const auto x = random_normal<double>(RandomKey(1), {2, 9, 4});
  const Conv1D<double> layer{{.in = 4,
                              .out = 6,
                              .kernel = {3},
                              .strides = {2},
                              .padding = Padding::Same,
                              .dilations = {2},
                              .groups = 2,
                              .key = RandomKey(3)}};
  EXPECT_EQ(layer.filter.shape(), (Shape{3, 2, 6}));
  EXPECT_EQ(layer(x),
            conv1d(x, layer.filter,
                   {.strides = {2}, .padding = Padding::Same, .dilations = {2}, .groups = 2}) +
                layer.bias);
  ddx::testing::expect_gradient(layer, x);
}

TEST(Conv3D, GradientAgreesWithDifferences) {
  const auto x = random_normal<double>(RandomKey(1), {2, 3, 4, 5, 2});
  const Conv3D<double> layer{{.in = 2,
                              .out = 3,
                              .kernel = {2, 3, 2},
                              .strides = {1, 1, 2},
                              .activation = Activation::Tanh,
                              .key = RandomKey(3)}};
  EXPECT_EQ(layer(x).shape(), (Shape{2, 2, 2, 2, 3}));
  ddx::testing::expect_gradient(layer, x);
}

TEST(Conv2D, ImpossibleOptionsAreAnError) {
  using ddx::testing::message_of;
  EXPECT_EQ(message_of<UsageError>([] { Conv2D<float>{{.in = 0, .out = 5}}; }),
            "Conv2D: in is 0, at least 1 is required");
  EXPECT_EQ(message_of<UsageError>([] { Conv2D<float>{{.in = 1, .out = 0}}; }),
            "Conv2D: out is 0, at least 1 is required");
  EXPECT_EQ(message_of<UsageError>([] { Conv2D<float>{{.in = 1, .out = 1, .kernel = {3, 0}}}; }),
            "Conv2D: kernel is 0, at least 1 is required");
  EXPECT_EQ(message_of<UsageError>([] { Conv2D<float>{{.in = 1, .out = 1, .strides = {-1, 1}}}; }),
            "Conv2D: strides is -1, at least 1 is required");
  EXPECT_EQ(message_of<UsageError>([] { Conv3D<float>{{.in = 1, .out = 1, .groups = 0}}; }),
            "Conv3D: groups is 0, at least 1 is required");
  EXPECT_EQ(message_of<UsageError>([] { Conv1D<float>{{.in = 4, .out = 3, .groups = 2}}; }),
            "Conv1D: out is 3, no multiple of groups, which is 2");
}

}  // namespace convolution_test
}  // namespace ddx::nn
