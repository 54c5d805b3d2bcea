#include "ddx/nn/layers/pooling.h"

#include "ddx/core/random_key.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/model_gradient.h"

#include <gtest/gtest.h>
#include <vector>

namespace ddx::nn {
namespace pooling_test {

TEST(MaxPool2D, KeepsTheGreatestOfEachWindow) {
  const MaxPool2D<double> layer{{.size = {2, 2}}};
  const Tensor<double> x({1, 2, 4, 1}, std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_EQ(layer(x), (Tensor<double>({1, 1, 2, 1}, std::vector<double>{6, 8})));
}

TEST(MaxPool2D, GradientAgreesWithDifferences) {
  ddx::testing::expect_gradient(MaxPool2D<double>{{.size = {2, 3}, .strides = {1, 2}}},
                                random_normal<double>(RandomKey(1), {2, 4, 7, 2}));
}

TEST(AvgPool2D, KeepsTheAverageOfEachWindow) {
  const AvgPool2D<double> layer{{.size = {2, 2}}};
  const Tensor<double> x({1, 2, 4, 1}, std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_EQ(layer(x), (Tensor<double>({1, 1, 2, 1}, std::vector<double>{3.5, 5.5})));
}

TEST(AvgPool2D, GradientAgreesWithDifferences) {
  ddx::testing::expect_gradient(AvgPool2D<double>{{.size = {2, 3}, .strides = {1, 2}}},
                                random_normal<double>(RandomKey(1), {2, 4, 7, 2}));
}

TEST(Pooling, OfSignalsAndVolumes) {
  const Tensor<double> signal({1, 4, 1}, std::vector<double>{1, 5, 2, 3});
  EXPECT_EQ(MaxPool1D<double>{}(signal), (Tensor<double>({1, 2, 1}, {5, 3})));
  EXPECT_EQ(AvgPool1D<double>{}(signal), (Tensor<double>({1, 2, 1}, {3, 2.5})));
  const auto volume = random_normal<double>(RandomKey(1), {2, 3, 4, 5, 2});
  ddx::testing::expect_gradient(MaxPool3D<double>{{.size = {2, 2, 3}, .strides = {1, 2, 1}}},
                                volume);
  ddx::testing::expect_gradient(AvgPool3D<double>{{.padding = Padding::Same}}, volume);
  ddx::testing::expect_gradient(MaxPool1D<double>{}, signal);
  ddx::testing::expect_gradient(AvgPool1D<double>{}, signal);
}

}  // namespace pooling_test
}  // namespace ddx::nn
