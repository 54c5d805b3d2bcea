#include "ddx/nn/layers/zero_padding.h"

#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/model_gradient.h"
#include "tests/support/thrown.h"

#include <gtest/gtest.h>

namespace ddx::nn {
namespace zero_padding_test {

TEST(ZeroPadding, SurroundsThePlaces) {
  EXPECT_EQ((ZeroPadding<double>{{1}, {2}}(Tensor<double>{{{1, 2}}})),
            (Tensor<double>{{{0, 0}, {1, 2}, {0, 0}, {0, 0}}}));
  ddx::testing::expect_gradient(ZeroPadding<double>{{1, 0}, {0, 2}},
                                random_normal<double>(RandomKey(1), {2, 3, 3, 2}));
}

TEST(ZeroPadding, OtherNumbersOfAmountsAreAnError) {
  EXPECT_EQ(ddx::testing::thrown<UsageError>(
                [] { (void)ZeroPadding<double>{{1, 1}, {1, 1}}(Tensor<double>{{{1, 2}}}); }),
            "ZeroPadding: amounts [1, 1] are not one per axis between the samples and the "
            "channels; shape [1, 1, 2] (here)");
}

}  // namespace zero_padding_test
}  // namespace ddx::nn
