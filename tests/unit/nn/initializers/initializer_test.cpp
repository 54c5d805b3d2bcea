#include "ddx/nn/initializers/initializer.h"

#include "ddx/core/random_key.h"
#include "ddx/tensor/tensor.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>

namespace ddx::nn {
namespace {

// 100 inputs and 300 outputs: variances 2 / 400 and 2 / 100.
constexpr Fans fans{.in = 100, .out = 300};

TEST(Initializer, DeviationsFollowTheFans) {
  EXPECT_EQ(initial_deviation(Initializer::Zeros, fans), 0);
  EXPECT_DOUBLE_EQ(initial_deviation(Initializer::GlorotUniform, fans), std::sqrt(0.005));
  EXPECT_DOUBLE_EQ(initial_deviation(Initializer::GlorotNormal, fans), std::sqrt(0.005));
  EXPECT_DOUBLE_EQ(initial_deviation(Initializer::HeUniform, fans), std::sqrt(0.02));
  EXPECT_DOUBLE_EQ(initial_deviation(Initializer::HeNormal, fans), std::sqrt(0.02));
}

TEST(Initializer, SamplesHaveTheDeviationAndTheBound) {
  for (const auto initializer : {Initializer::GlorotUniform, Initializer::GlorotNormal,
                                 Initializer::HeUniform, Initializer::HeNormal}) {
    const auto values = initial_values<double>(initializer, {100, 300}, fans, RandomKey(5));
    double sum = 0;
    double squares = 0;
    double largest = 0;
    for (const double value : values.elements()) {
      sum += value;
      squares += value * value;
      largest = std::max(largest, std::abs(value));
    }
    const double deviation = initial_deviation(initializer, fans);
    // 30000 samples: the mean is off by 0.006 deviations, the deviation by about 0.4 %.
    EXPECT_NEAR(sum / 30000, 0, 0.03 * deviation);
    EXPECT_NEAR(std::sqrt(squares / 30000), deviation, 0.02 * deviation);
    const bool uniform =
        initializer == Initializer::GlorotUniform || initializer == Initializer::HeUniform;
    EXPECT_EQ(largest <= std::sqrt(3.0) * deviation, uniform);
  }
}

TEST(Initializer, EqualKeysGiveEqualValues) {
  const auto draw = [](std::uint64_t seed) {
    return initial_values<float>(Initializer::HeNormal, {4, 5}, fans, RandomKey(seed));
  };
  EXPECT_EQ(draw(1), draw(1));
  EXPECT_FALSE(draw(1) == draw(2));
  const auto zeros = initial_values<float>(Initializer::Zeros, {3}, fans, RandomKey(1));
  EXPECT_EQ(zeros, (Tensor<float>{0.0F, 0.0F, 0.0F}));
}

}  // namespace
}  // namespace ddx::nn
