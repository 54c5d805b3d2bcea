#include "ddx/nn/layers/rms_norm.h"

#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/model_gradient.h"
#include "tests/support/recorded_layers.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/thrown.h"

#include <gtest/gtest.h>

namespace ddx::nn {
namespace rms_norm_test {

TEST(RMSNorm, AgreesWithPyTorch) {
  RMSNorm<double> layer{{.features = 4}};
  layer.scale = ddx::testing::numbers({4}, 30);
  const auto gradient =
      ddx::testing::recorded_gradient("rms_norm", layer, ddx::testing::numbers({2, 3, 4}, 1));
  ddx::testing::expect_recorded("rms_norm.scale", gradient.scale);
}

TEST(RMSNorm, GradientAgreesWithDifferences) {
  ddx::testing::expect_gradient(RMSNorm<double>{{.features = 4}},
                                random_normal<double>(RandomKey(1), {3, 4}));
}

TEST(RMSNorm, TheCentreIsAddedToTheScale) {
  RMSNorm<double> centred{{.features = 4, .centre = 1}};
  EXPECT_EQ(centred.scale, zeros<double>({4}));
  const RMSNorm<double> plain{{.features = 4}};
  const auto x = random_normal<double>(RandomKey(1), {3, 4});
  EXPECT_EQ(centred(x), plain(x));
  centred.scale = Tensor<double>{-1, 0, 1, 2};
  EXPECT_EQ(centred(x), (plain(x) * Tensor<double>{0, 1, 2, 3}));
  ddx::testing::expect_gradient(centred, x);
}

TEST(RMSNorm, MistakesAreAnError) {
  using ddx::testing::message_of;
  EXPECT_EQ(message_of<UsageError>([] { RMSNorm<float>{{.features = -1}}; }),
            "RMSNorm: features is -1, at least 1 is required");
  EXPECT_EQ(ddx::testing::thrown<UsageError>(
                [] { (void)RMSNorm<float>{{.features = 3}}(Tensor<float>(1)); }),
            "RMSNorm: the last axis is not the 3 features; shape [] (here)");
}

}  // namespace rms_norm_test
}  // namespace ddx::nn
