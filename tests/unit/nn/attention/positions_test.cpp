#include "ddx/nn/attention/positions.h"

#include "ddx/ad/operators.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/model_gradient.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/thrown.h"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>

namespace ddx::nn {
namespace positions_test {

using ddx::testing::message_of;
using ddx::testing::thrown;

TEST(LearnedPositions, AddsARowPerPlace) {
  LearnedPositions<double> layer{{.count = 3, .features = 2}};
  layer.weight = Tensor<double>{{1.0, 2.0}, {3.0, 4.0}, {5.0, 6.0}};
  EXPECT_EQ(layer(Tensor<double>{{{10, 10}, {20, 20}}}), (Tensor<double>{{{11, 12}, {23, 24}}}));
}

TEST(LearnedPositions, GradientAgreesWithDifferences) {
  ddx::testing::expect_gradient(LearnedPositions<double>{{.count = 4, .features = 3}},
                                random_normal<double>(RandomKey(1), {2, 3, 3}));
}

TEST(LearnedPositions, MistakesAreAnError) {
  EXPECT_EQ(message_of<UsageError>([] { LearnedPositions<float>{{.features = 3}}; }),
            "LearnedPositions: count is 0, at least 1 is required");
  const LearnedPositions<float> layer{{.count = 2, .features = 3}};
  EXPECT_EQ(thrown<UsageError>([&] { (void)layer(zeros<float>({1, 4, 3})); }),
            "LearnedPositions: shape [1, 4, 3] from place 0 on is not [..., time, features] of at "
            "most 2 places and 3 features (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)layer(zeros<float>({1, 1, 3}), 2); }),
            "LearnedPositions: shape [1, 1, 3] from place 2 on is not [..., time, features] of at "
            "most 2 places and 3 features (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)layer(zeros<float>({1, 1, 3}), -1); }),
            "LearnedPositions: the first place is -1; shape [1, 1, 3] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)layer(zeros<float>({3})); }),
            "LearnedPositions: shape [3] is not [..., time, features] (here)");
}

TEST(Positions, SequencesMayContinueOthers) {
  const auto x = random_normal<double>(RandomKey(1), {2, 4, 6});
  const auto rest = slice(x, {.start = {0, 1, 0}});
  const LearnedPositions<double> learned{{.count = 5, .features = 6}};
  EXPECT_EQ(learned(rest, 1), slice(learned(x), {.start = {0, 1, 0}}));
  const SinusoidalPositions<double> sinusoidal;
  EXPECT_EQ(sinusoidal(rest, 1), slice(sinusoidal(x), {.start = {0, 1, 0}}));
}

// By hand from the formula of the paper: 10000^(2 / 4) = 100.
TEST(SinusoidalPositions, AreSinesAndCosines) {
  const auto y = sinusoidal_positions<double>(3, 4);
  ASSERT_EQ(y.shape(), (Shape{3, 4}));
  for (std::int64_t place = 0; place < 3; ++place) {
    const auto p = static_cast<double>(place);
    EXPECT_DOUBLE_EQ((y[{place, 0}]), std::sin(p));
    EXPECT_DOUBLE_EQ((y[{place, 1}]), std::cos(p));
    EXPECT_DOUBLE_EQ((y[{place, 2}]), std::sin(p / 100));
    EXPECT_DOUBLE_EQ((y[{place, 3}]), std::cos(p / 100));
  }
  EXPECT_EQ(sinusoidal_positions<double>(0, 4).shape(), (Shape{0, 4}));
}

TEST(SinusoidalPositions, AreAddedAndDifferentiated) {
  const auto x = random_normal<double>(RandomKey(1), {2, 3, 4});
  EXPECT_EQ(SinusoidalPositions<double>()(x), x + sinusoidal_positions<double>(3, 4));
  ddx::testing::expect_gradient(SinusoidalPositions<double>(), x);
}

TEST(SinusoidalPositions, MistakesAreAnError) {
  EXPECT_EQ(thrown<UsageError>([] { (void)sinusoidal_positions<float>(2, 3); }),
            "sinusoidal_positions: count is 2, features is 3: at least 0 and an even number of at "
            "least 2 are required (here)");
}

}  // namespace positions_test
}  // namespace ddx::nn
