#include "ddx/nn/layers/up_sampling.h"

#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/model_gradient.h"
#include "tests/support/thrown.h"

#include <gtest/gtest.h>

namespace ddx::nn {
namespace up_sampling_test {

TEST(UpSampling, RepeatsEachPlace) {
  EXPECT_EQ(UpSampling<double>{2}(Tensor<double>{{{1, 2}, {3, 4}}}),
            (Tensor<double>{{{1, 2}, {1, 2}, {3, 4}, {3, 4}}}));
  EXPECT_EQ(UpSampling<double>{3}(random_normal<double>(RandomKey(1), {2, 2, 3, 4})).shape(),
            (Shape{2, 6, 9, 4}));
  ddx::testing::expect_gradient(UpSampling<double>{2},
                                random_normal<double>(RandomKey(1), {2, 2, 3, 4}));
}

TEST(UpSampling, WithoutPlacesIsAnError) {
  EXPECT_EQ(
      ddx::testing::thrown<UsageError>([] { (void)UpSampling<double>{2}(Tensor<double>{{1, 2}}); }),
      "UpSampling: there is no axis between the samples and the channels; shape [1, 2] "
      "(here)");
}

}  // namespace up_sampling_test
}  // namespace ddx::nn
