#include "ddx/nn/gradients/clip.h"

#include "ddx/ad/differentiable.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/tensor/compile.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_optimizer.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

namespace ddx::nn {
namespace clip_test {

using ddx::testing::message_of;

struct Pair {
  Tensor<float> weights{3.0F, 0.0F};
  double gain = 4;
  std::vector<Tensor<double>> more{{0.0, 12.0}};

  DDX_DIFFERENTIABLE(Pair, weights, gain, more)
};
using Gradient = Pair::TangentVector;

/// The numbers 3, 0, 4, 0, 12: norm 13.
Gradient some_gradient() {
  const Pair values;
  return {.weights = values.weights, .gain = values.gain, .more = values.more};
}

TEST(Clip, TheGlobalNormIsThatOfAllNumbers) {
  EXPECT_DOUBLE_EQ(global_norm(some_gradient()), 13);
  EXPECT_DOUBLE_EQ(global_norm(Pair()), 13);
  EXPECT_EQ(global_norm(Gradient{}), 0);
}

TEST(Clip, TheGlobalNormOfLargeAndSmallFloatsIsRight) {
  for (const Device device : {Device(), Device::lazy()}) {
    Gradient gradient{};
    gradient.weights = Tensor<float>({3e30F, 4e30F}, device);
    EXPECT_NEAR(global_norm(gradient) / 5e30, 1, 1e-6);
    gradient.weights = Tensor<float>({3e38F, 3e38F}, device);
    EXPECT_NEAR(global_norm(gradient) / 4.2426406871e38, 1, 1e-6);
    gradient.weights = Tensor<float>({3e-30F, 4e-30F}, device);
    EXPECT_NEAR(global_norm(gradient) / 5e-30, 1, 1e-6);
    gradient.weights = Tensor<float>({0.0F, 0.0F}, device);
    EXPECT_EQ(global_norm(gradient), 0);
    gradient.weights = Tensor<float>(Shape{0}, {}, device);
    EXPECT_EQ(global_norm(gradient), 0);
    gradient.weights = Tensor<float>({1.0F, std::numeric_limits<float>::infinity()}, device);
    EXPECT_FALSE(std::isfinite(global_norm(gradient)));
  }
}

TEST(Clip, ByGlobalNormScalesAllAlike) {
  const auto clipped = clip_by_global_norm(some_gradient(), 6.5);
  EXPECT_EQ(clipped.weights, (Tensor<float>{1.5F, 0.0F}));
  EXPECT_EQ(clipped.gain, 2);
  EXPECT_EQ(clipped.more[0], (Tensor<double>{0.0, 6.0}));
}

TEST(Clip, ByGlobalNormLeavesSmallGradientsAlone) {
  const auto clipped = clip_by_global_norm(some_gradient(), 13);
  EXPECT_EQ(clipped.weights, some_gradient().weights);
  EXPECT_EQ(clipped.gain, 4);
}

TEST(Clip, ByGlobalNormKeepsSymbolicZeros) {
  auto gradient = some_gradient();
  gradient.weights = Tensor<float>();
  const auto clipped = clip_by_global_norm(gradient, 1);
  EXPECT_TRUE(clipped.weights.is_symbolic_zero());
  EXPECT_NEAR(global_norm(clipped), 1, 1e-15);
}

TEST(Clip, ByGlobalNormNamesWhatIsNotFinite) {
  auto gradient = some_gradient();
  gradient.more[0].set({1}, std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(message_of<UsageError>([&] { (void)clip_by_global_norm(gradient, 1); }),
            "clip_by_global_norm: gradient of more.0 is not finite");
  gradient.gain = std::numeric_limits<double>::infinity();
  EXPECT_EQ(message_of<UsageError>([&] { (void)clip_by_global_norm(gradient, 1); }),
            "clip_by_global_norm: gradient of gain is not finite");
}

TEST(Clip, ByGlobalNormRefusesANormThatOverflows) {
  auto gradient = some_gradient();
  gradient.gain = 1.5e308;
  gradient.more[0] = Tensor<double>{1.5e308};
  EXPECT_EQ(message_of<UsageError>([&] { (void)clip_by_global_norm(gradient, 1); }),
            "clip_by_global_norm: the norm of the gradient is too large for a double");
}

TEST(Clip, ByGlobalNormCanBeStaged) {
  using Tensors = std::vector<Tensor<double>>;
  const auto clip = compile([](const Tensors& parts) { return clip_by_global_norm(parts, 6.5); });
  const Tensors clipped = clip(Tensors{{3.0, 4.0}, {0.0, 12.0}});
  EXPECT_EQ(clipped[0], (Tensor<double>{1.5, 2.0}));
  EXPECT_EQ(clipped[1], (Tensor<double>{0.0, 6.0}));
  EXPECT_EQ(clip(Tensors{{3.0, 4.0}, {0.0, 1.0}})[0], (Tensor<double>{3.0, 4.0}));
  // A gradient that is not finite is unchanged.
  const Tensors broken = clip(Tensors{{30.0, 40.0}, {std::nan(""), 12.0}});
  EXPECT_EQ(broken[0], (Tensor<double>{30.0, 40.0}));
  EXPECT_TRUE(std::isnan(broken[1][{0}]));
}

TEST(Clip, ByValueMovesEachNumberToTheLimit) {
  auto gradient = some_gradient();
  gradient.weights = Tensor<float>{-3.0F, 2.0F};
  const auto clipped = clip_by_value(gradient, 2.5);
  EXPECT_EQ(clipped.weights, (Tensor<float>{-2.5F, 2.0F}));
  EXPECT_EQ(clipped.gain, 2.5);
  EXPECT_EQ(clipped.more[0], (Tensor<double>{0.0, 2.5}));
  gradient.gain = -4;
  EXPECT_EQ(clip_by_value(gradient, 2.5).gain, -2.5);
}

TEST(Clip, ByValueKeepsNaNAndBoundsInfinity) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double inf = std::numeric_limits<double>::infinity();
  auto gradient = some_gradient();
  gradient.gain = nan;
  gradient.more[0] = Tensor<double>{nan, -inf};
  gradient.weights = Tensor<float>();
  const auto clipped = clip_by_value(gradient, 1);
  EXPECT_NE(clipped.gain, clipped.gain);
  EXPECT_NE(clipped.more[0][{0}], clipped.more[0][{0}]);
  EXPECT_EQ(clipped.more[0][{1}], -1);
  EXPECT_TRUE(clipped.weights.is_symbolic_zero());
}

TEST(Clip, ImpossibleBoundsAreAnError) {
  EXPECT_EQ(message_of<UsageError>([] { (void)clip_by_global_norm(some_gradient(), 0); }),
            "clip_by_global_norm: max_norm is 0, expected a finite number above 0");
  EXPECT_EQ(message_of<UsageError>([] { (void)clip_by_value(some_gradient(), -1); }),
            "clip_by_value: limit is -1, expected a finite number above 0");
}

}  // namespace clip_test
}  // namespace ddx::nn
