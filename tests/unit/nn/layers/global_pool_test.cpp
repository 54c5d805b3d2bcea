#include "ddx/nn/layers/global_pool.h"

#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/model_gradient.h"
#include "tests/support/thrown.h"

#include <gtest/gtest.h>

namespace ddx::nn {
namespace global_pool_test {

const Tensor<double> x{{{1, 8}, {3, 4}, {5, 3}}};  // One sample, three places, two channels.

TEST(GlobalPool, TakesTheAverageOrTheLargestOfAllPlaces) {
  EXPECT_EQ(GlobalAvgPool<double>{}(x), (Tensor<double>{{3, 5}}));
  EXPECT_EQ(GlobalMaxPool<double>{}(x), (Tensor<double>{{5, 8}}));
  EXPECT_EQ(GlobalAvgPool<double>{}(random_normal<double>(RandomKey(1), {2, 3, 4, 5, 6})).shape(),
            (Shape{2, 6}));
}

TEST(GlobalPool, GradientAgreesWithDifferences) {
  const auto images = random_normal<double>(RandomKey(1), {2, 3, 4, 2});
  ddx::testing::expect_gradient(GlobalAvgPool<double>{}, images);
  ddx::testing::expect_gradient(GlobalMaxPool<double>{}, images);
}

TEST(GlobalPool, WithoutPlacesIsAnError) {
  EXPECT_EQ(ddx::testing::thrown<UsageError>(
                [] { (void)GlobalAvgPool<double>{}(Tensor<double>{{1, 2}}); }),
            "GlobalAvgPool: there is no axis between the samples and the channels; shape [1, 2] "
            "(here)");
}

}  // namespace global_pool_test
}  // namespace ddx::nn
