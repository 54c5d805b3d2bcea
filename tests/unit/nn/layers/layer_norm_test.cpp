#include "ddx/nn/layers/layer_norm.h"

#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/model_gradient.h"
#include "tests/support/recorded_layers.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/thrown.h"

#include <gtest/gtest.h>

namespace ddx::nn {
namespace layer_norm_test {

TEST(LayerNorm, AgreesWithPyTorch) {
  LayerNorm<double> layer{{.features = 4}};
  layer.scale = ddx::testing::numbers({4}, 30);
  layer.offset = ddx::testing::numbers({4}, 40);
  const auto gradient =
      ddx::testing::recorded_gradient("layer_norm", layer, ddx::testing::numbers({2, 3, 4}, 1));
  ddx::testing::expect_recorded("layer_norm.scale", gradient.scale);
  ddx::testing::expect_recorded("layer_norm.offset", gradient.offset);
}

TEST(LayerNorm, GradientAgreesWithDifferences) {
  ddx::testing::expect_gradient(LayerNorm<double>{{.features = 4}},
                                random_normal<double>(RandomKey(1), {3, 4}));
}

TEST(LayerNorm, EqualFeaturesBecomeTheOffset) {
  EXPECT_EQ(LayerNorm<double>{{.features = 2}}(Tensor<double>{{5, 5}}), (Tensor<double>{{0, 0}}));
}

TEST(LayerNorm, MistakesAreAnError) {
  using ddx::testing::message_of;
  EXPECT_EQ(message_of<UsageError>([] { LayerNorm<float>{{}}; }),
            "LayerNorm: features is 0, at least 1 is required");
  EXPECT_EQ(ddx::testing::thrown<UsageError>(
                [] { (void)LayerNorm<float>{{.features = 3}}(Tensor<float>{1, 2}); }),
            "LayerNorm: the last axis is not the 3 features; shape [2] (here)");
}

}  // namespace layer_norm_test
}  // namespace ddx::nn
