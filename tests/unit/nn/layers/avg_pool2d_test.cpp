#include "ddx/nn/layers/avg_pool2d.h"

#include "ddx/core/random_key.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/model_gradient.h"

#include <gtest/gtest.h>
#include <vector>

namespace ddx::nn {
namespace {

TEST(AvgPool2D, KeepsTheAverageOfEachWindow) {
  const AvgPool2D<double> layer{{.size = {2, 2}}};
  const Tensor<double> x({1, 2, 4, 1}, std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_EQ(layer(x), (Tensor<double>({1, 1, 2, 1}, std::vector<double>{3.5, 5.5})));
}

TEST(AvgPool2D, GradientAgreesWithDifferences) {
  ddx::testing::expect_gradient(AvgPool2D<double>{{.size = {2, 3}, .strides = {1, 2}}},
                                random_normal<double>(RandomKey(1), {2, 4, 7, 2}));
}

}  // namespace
}  // namespace ddx::nn
