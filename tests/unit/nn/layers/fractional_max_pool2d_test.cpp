#include "ddx/nn/layers/fractional_max_pool2d.h"

#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/fractional_pooling.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/model_gradient.h"

#include <gtest/gtest.h>

namespace ddx::nn {
namespace fractional_max_pool2d_test {

TEST(FractionalMaxPool2D, DividesAnewInEachStep) {
  FractionalMaxPool2D<double> layer{{.regions = {.ratios = {1.5, 1.4}}, .key = RandomKey(3)}};
  const auto x = random_normal<double>(RandomKey(1), {2, 12, 14, 2});
  const auto outside = layer(x);
  EXPECT_EQ(outside, fractional_max_pool2d(RandomKey(3), x, {.ratios = {1.5, 1.4}}));
  layer.begin_step(RandomKey(4));
  EXPECT_FALSE(layer(x) == outside);
  EXPECT_EQ(layer(x), fractional_max_pool2d(RandomKey(4), x, {.ratios = {1.5, 1.4}}));
  layer.end_step();
  EXPECT_EQ(layer(x), outside);
}

TEST(FractionalMaxPool2D, GradientAgreesWithDifferences) {
  const auto x = random_normal<double>(RandomKey(1), {2, 7, 8, 2});
  ddx::testing::expect_gradient(
      FractionalMaxPool2D<double>{{.regions = {.overlapping = true}, .key = RandomKey(3)}}, x);
  ddx::testing::expect_gradient(
      FractionalMaxPool2D<double>{{.regions = {.pseudo_random = true}, .key = RandomKey(3)}}, x);
}

}  // namespace fractional_max_pool2d_test
}  // namespace ddx::nn
