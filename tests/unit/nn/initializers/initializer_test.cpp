#include "ddx/nn/initializers/initializer.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/closeness.h"
#include "ddx/tensor/matmul.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <utility>
#include <vector>

namespace ddx::nn {
namespace initializer_test {

// 100 inputs and 300 outputs.
constexpr Fans fans{.in = 100, .out = 300};

/// What 30000 values of a rule look like.
struct Sample {
  double mean = 0;
  double deviation = 0;
  double least = 0;
  double largest = 0;
};
Sample sample_of(const Initializer& initializer) {
  const auto values = initial_values<double>(initializer, {100, 300}, fans, RandomKey(5)).values();
  Sample sample{.least = values[0], .largest = values[0]};
  for (const double value : values) {
    sample.mean += value / 30000;
    sample.least = std::min(sample.least, value);
    sample.largest = std::max(sample.largest, value);
  }
  for (const double value : values) {
    sample.deviation += (value - sample.mean) * (value - sample.mean) / 30000;
  }
  sample.deviation = std::sqrt(sample.deviation);
  return sample;
}

/// Expects the moments; 30000 samples are off by 0.006 and 0.004 deviations.
void expect_moments(const Sample& sample, double mean, double deviation) {
  EXPECT_NEAR(sample.mean, mean, 0.03 * deviation);
  EXPECT_NEAR(sample.deviation, deviation, 0.02 * deviation);
}

TEST(Initializer, DeviationsFollowTheFans) {
  // Variances 2 / 400, 2 / 100 and 1 / 100.
  const std::vector<std::pair<Initializer, double>> uniform{
      {Initializer::GlorotUniform, std::sqrt(0.005)},
      {Initializer::HeUniform, std::sqrt(0.02)},
      {Initializer::LeCunUniform, 0.1}};
  for (const auto& [initializer, deviation] : uniform) {
    const auto sample = sample_of(initializer);
    expect_moments(sample, 0, deviation);
    const double bound = std::sqrt(3.0) * deviation;
    EXPECT_GE(sample.least, -bound);
    EXPECT_LT(sample.largest, bound);
    EXPECT_GT(sample.largest, 0.99 * bound);
  }
  const std::vector<std::pair<Initializer, double>> normal{
      {Initializer::GlorotNormal, std::sqrt(0.005)},
      {Initializer::HeNormal, std::sqrt(0.02)},
      {Initializer::LeCunNormal, 0.1}};
  for (const auto& [initializer, deviation] : normal) {
    const auto sample = sample_of(initializer);
    expect_moments(sample, 0, deviation);
    EXPECT_GT(sample.largest, 3 * deviation);
  }
}

TEST(Initializer, ConstantsAreTheSameEverywhere) {
  const auto values = [](const Initializer& initializer) {
    return initial_values<float>(initializer, {2}, fans, RandomKey(1));
  };
  EXPECT_EQ(values(Initializer::Zeros), (Tensor<float>{0.0F, 0.0F}));
  EXPECT_EQ(values(Initializer::Ones), (Tensor<float>{1.0F, 1.0F}));
  EXPECT_EQ(values(Initializer::constant(-0.5)), (Tensor<float>{-0.5F, -0.5F}));
}

TEST(Initializer, UniformHasItsEnds) {
  const auto sample = sample_of(Initializer::uniform(2, 5));
  expect_moments(sample, 3.5, 3 / std::sqrt(12.0));
  EXPECT_GE(sample.least, 2);
  EXPECT_LT(sample.largest, 5);
}

TEST(Initializer, NormalHasItsMoments) {
  expect_moments(sample_of(Initializer::normal(3, 0.5)), 3, 0.5);
}

TEST(Initializer, TruncatedNormalEndsAtTwoDeviations) {
  const auto sample = sample_of(Initializer::truncated_normal(3, 0.5));
  // Without its tails the variance is 1 - 4 f(2) / (2 F(2) - 1) = 0.77374 of the normal one, with
  // f(2) = 0.0539910 and F(2) = 0.9772499.
  expect_moments(sample, 3, 0.5 * std::sqrt(0.77374));
  EXPECT_GE(sample.least, 2);
  EXPECT_LE(sample.largest, 4);
  EXPECT_GT(sample.largest, 3.99);
}

TEST(Initializer, TruncatedNormalIsAFunctionOfKeyAndNumber) {
  const auto draw = [](const Shape& shape, Device device) {
    return initial_values<float>(Initializer::truncated_normal(0, 1), shape, fans, RandomKey(7),
                                 device);
  };
  const auto all = draw({6}, Device::cpu());
  EXPECT_EQ(draw({2, 3}, Device::naive()).values(), all.values());
  EXPECT_EQ(draw({4}, Device::cpu()), slice(all, {.start = {0}, .stop = {4}}));
}

TEST(Initializer, OrthogonalRowsOrColumnsHaveTheLengthOfTheGain) {
  const auto draw = [](const Shape& shape, double gain) {
    return initial_values<double>(Initializer::orthogonal(gain), shape, fans, RandomKey(2));
  };
  const auto unit = [](std::int64_t n) {
    return initial_values<double>(Initializer::Identity, {n, n}, fans, RandomKey(0));
  };
  const Tolerance close{.relative = 0, .absolute = 1e-13};
  const auto tall = draw({7, 4}, 1);
  EXPECT_TRUE(all_close(matmul(tall, tall, {.transpose_left = true}), unit(4), close));
  const auto wide = draw({4, 7}, 3);
  EXPECT_TRUE(all_close(matmul(wide, wide, {.transpose_right = true}), unit(4) * 9.0, close));
  const auto filter = reshape(draw({3, 3, 2, 8}, 1), {18, 8});
  EXPECT_TRUE(all_close(matmul(filter, filter, {.transpose_left = true}), unit(8), close));
  EXPECT_EQ(draw({0, 3}, 1).count(), 0U);
  EXPECT_EQ(draw({3, 0}, 1).count(), 0U);
}

TEST(Initializer, TheIdentityIsPartOfAUnitMatrix) {
  const auto values = [](const Shape& shape) {
    return initial_values<float>(Initializer::Identity, shape, fans, RandomKey(1));
  };
  EXPECT_EQ(values({2, 3}), (Tensor<float>{{1.0F, 0.0F, 0.0F}, {0.0F, 1.0F, 0.0F}}));
  EXPECT_EQ(values({3, 1}), (Tensor<float>(Shape{3, 1}, {1.0F, 0.0F, 0.0F})));
}

TEST(Initializer, EqualKeysGiveEqualValues) {
  for (const auto& initializer :
       {Initializer::HeNormal, Initializer::orthogonal(), Initializer::truncated_normal(0, 1)}) {
    const auto draw = [&](std::uint64_t seed) {
      return initial_values<float>(initializer, {4, 5}, fans, RandomKey(seed));
    };
    EXPECT_EQ(draw(1), draw(1));
    EXPECT_FALSE(draw(1) == draw(2));
  }
}

TEST(Initializer, ImpossibleRulesAreAnError) {
  const auto refusal = [](const Initializer& initializer, const Shape& shape) {
    return ddx::testing::thrown<UsageError>(
        [&] { (void)initial_values<float>(initializer, shape, fans, RandomKey(1)); });
  };
  EXPECT_EQ(refusal(Initializer::normal(0, -1), {2}),
            "Initializer: deviation is -1, expected a finite number of at least 0");
  EXPECT_EQ(refusal(Initializer::truncated_normal(0, -1), {2}),
            "Initializer: deviation is -1, expected a finite number of at least 0");
  EXPECT_EQ(refusal(Initializer::orthogonal(-1), {2, 2}),
            "Initializer: gain is -1, expected a finite number of at least 0");
  EXPECT_EQ(refusal(Initializer::orthogonal(), {2}),
            "Initializer: an orthogonal matrix of shape [2] was asked for, rank 2 or more is "
            "required (here)");
  EXPECT_EQ(
      refusal(Initializer::Identity, {2, 2, 2}),
      "Initializer: the identity of shape [2, 2, 2] was asked for, rank 2 is required (here)");
}

}  // namespace initializer_test
}  // namespace ddx::nn
