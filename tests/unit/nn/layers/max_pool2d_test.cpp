#include "ddx/nn/layers/max_pool2d.h"

#include "ddx/core/random_key.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/model_gradient.h"

#include <gtest/gtest.h>
#include <vector>

namespace ddx::nn {
namespace {

TEST(MaxPool2D, KeepsTheGreatestOfEachWindow) {
  const MaxPool2D<double> layer{{.size = {2, 2}}};
  const Tensor<double> x({1, 2, 4, 1}, std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_EQ(layer(x), (Tensor<double>({1, 1, 2, 1}, std::vector<double>{6, 8})));
}

TEST(MaxPool2D, GradientAgreesWithDifferences) {
  ddx::testing::expect_gradient(MaxPool2D<double>{{.size = {2, 3}, .strides = {1, 2}}},
                                random_normal<double>(RandomKey(1), {2, 4, 7, 2}));
}

}  // namespace
}  // namespace ddx::nn
