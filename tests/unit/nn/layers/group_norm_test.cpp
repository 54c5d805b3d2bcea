#include "ddx/nn/layers/group_norm.h"

#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/model_gradient.h"
#include "tests/support/recorded_layers.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/thrown.h"

#include <gtest/gtest.h>
#include <vector>

namespace ddx::nn {
namespace group_norm_test {

TEST(GroupNorm, AgreesWithPyTorch) {
  GroupNorm<double> layer{{.features = 4, .groups = 2}};
  layer.scale = ddx::testing::numbers({4}, 30);
  layer.offset = ddx::testing::numbers({4}, 40);
  const auto gradient =
      ddx::testing::recorded_gradient("group_norm", layer, ddx::testing::numbers({2, 3, 3, 4}, 1));
  ddx::testing::expect_recorded("group_norm.scale", gradient.scale);
  ddx::testing::expect_recorded("group_norm.offset", gradient.offset);
}

TEST(GroupNorm, OfSingleChannelsIsInstanceNormalisation) {
  auto layer = instance_norm<double>(4);
  layer.scale = ddx::testing::numbers({4}, 30);
  layer.offset = ddx::testing::numbers({4}, 40);
  const auto gradient = ddx::testing::recorded_gradient("instance_norm", layer,
                                                        ddx::testing::numbers({2, 3, 3, 4}, 1));
  ddx::testing::expect_recorded("instance_norm.scale", gradient.scale);
  ddx::testing::expect_recorded("instance_norm.offset", gradient.offset);
}

TEST(GroupNorm, GradientAgreesWithDifferences) {
  ddx::testing::expect_gradient(GroupNorm<double>{{.features = 6, .groups = 3}},
                                random_normal<double>(RandomKey(1), {2, 3, 6}));
}

TEST(GroupNorm, NoSamplesAreNoMistake) {
  EXPECT_EQ((GroupNorm<double>{{.features = 2}}(Tensor<double>({0, 3, 2}, std::vector<double>()))
                 .shape()),
            (Shape{0, 3, 2}));
}

TEST(GroupNorm, MistakesAreAnError) {
  using ddx::testing::message_of;
  EXPECT_EQ(message_of<UsageError>([] { GroupNorm<float>{{.features = 4, .groups = 3}}; }),
            "GroupNorm: features is 4, no multiple of groups, which is 3");
  EXPECT_EQ(message_of<UsageError>([] { GroupNorm<float>{{.features = 4, .groups = 0}}; }),
            "GroupNorm: groups is 0, at least 1 is required");
  EXPECT_EQ(ddx::testing::thrown<UsageError>(
                [] { (void)GroupNorm<float>{{.features = 3}}(Tensor<float>{1, 2}); }),
            "GroupNorm: the last axis is not the 3 features; shape [2] (here)");
}

}  // namespace group_norm_test
}  // namespace ddx::nn
