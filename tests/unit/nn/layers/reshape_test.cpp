#include "ddx/nn/layers/reshape.h"

#include "ddx/core/error.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/model_gradient.h"
#include "tests/support/thrown.h"

#include <gtest/gtest.h>

namespace ddx::nn {
namespace reshape_test {

TEST(Reshape, KeepsTheSamples) {
  const Tensor<double> x{{1, 2, 3, 4}, {5, 6, 7, 8}};
  EXPECT_EQ((Reshape<double>{{2, 2}}(x)), (Tensor<double>{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}));
  EXPECT_EQ((Reshape<double>{{-1, 1}}(x).shape()), (Shape{2, 4, 1}));
  ddx::testing::expect_gradient(Reshape<double>{{2, 2}}, x);
}

TEST(Reshape, OtherCountsAreAnError) {
  EXPECT_EQ(
      ddx::testing::thrown<UsageError>([] { (void)Reshape<double>{{3}}(Tensor<double>{{1, 2}}); }),
      "reshape: shape [1, 2] has 2 elements and cannot become [1, 3] (here)");
  EXPECT_EQ(ddx::testing::thrown<UsageError>([] { (void)Reshape<double>{{1}}(Tensor<double>(1)); }),
            "Reshape: there are no samples of extents [1]; shape [] (here)");
}

}  // namespace reshape_test
}  // namespace ddx::nn
