#include "ddx/nn/layers/morphology.h"

#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/morphology.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/model_gradient.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

namespace ddx::nn {
namespace morphology_test {

using ddx::testing::message_of;

TEST(Morphology2D, IsTheFunctionOfItsName) {
  const auto x = random_normal<double>(RandomKey(1), {2, 5, 6, 3});
  const Dilation2D<double> dilation{
      {.channels = 3, .kernel = {2, 3}, .strides = {2, 1}, .key = RandomKey(3)}};
  EXPECT_EQ(dilation(x), dilation2d(x, dilation.filter, {.strides = {2, 1}}));
  const Erosion2D<double> erosion{{.channels = 3, .dilations = {2, 1}, .key = RandomKey(3)}};
  EXPECT_EQ(erosion.filter.shape(), (Shape{3, 3, 3}));
  EXPECT_EQ(erosion(x), erosion2d(x, erosion.filter, {.dilations = {2, 1}}));
}

TEST(Morphology2D, GradientAgreesWithDifferences) {
  const auto x = random_normal<double>(RandomKey(1), {2, 5, 6, 3});
  ddx::testing::expect_gradient(
      Dilation2D<double>{{.channels = 3, .padding = Padding::Same, .key = RandomKey(3)}}, x);
  ddx::testing::expect_gradient(
      Erosion2D<double>{{.channels = 3, .strides = {1, 2}, .key = RandomKey(3)}}, x);
}

TEST(Morphology2D, ImpossibleOptionsAreAnError) {
  EXPECT_EQ(message_of<UsageError>([] { Dilation2D<float>{{.channels = 0}}; }),
            "Dilation2D: channels is 0, at least 1 is required");
  EXPECT_EQ(message_of<UsageError>([] { Erosion2D<float>{{.channels = 1, .strides = {1, 0}}}; }),
            "Erosion2D: strides is 0, at least 1 is required");
}

}  // namespace morphology_test
}  // namespace ddx::nn
