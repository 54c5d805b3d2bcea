// Means and variances that batch_norm_training makes in one pass over memory, against two passes in
// double.

#include "ddx/core/device.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/normalization.h"
#include "ddx/tensor/tensor.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>

namespace ddx::backend::cpu {
namespace moments_test {

BatchNormalized<float> normalized(const Tensor<float>& x) {
  const Shape channels{x.shape()[1]};
  return batch_norm_training(x, ones<float>(channels, Device::cpu()),
                             zeros<float>(channels, Device::cpu()));
}

/// Expects the moments of f32 of two passes in double, variances within some relative error.
template <class Value>
void expect_moments(const char* why, std::int64_t rows, std::int64_t channels, Value value,
                    double error) {
  SCOPED_TRACE(std::string(why) + ": " + std::to_string(rows) + " x " + std::to_string(channels));
  auto x = zeros<float>({rows, channels}, Device::cpu());
  const auto elements = x.mutable_elements();
  for (std::int64_t i = 0; i < rows * channels; ++i) {
    elements[static_cast<std::size_t>(i)] = static_cast<float>(value(i / channels, i % channels));
  }
  const auto y = normalized(x);
  for (std::int64_t c = 0; c < channels; ++c) {
    const auto at = [&](std::int64_t row) {
      return static_cast<double>(x.elements()[static_cast<std::size_t>(row * channels + c)]);
    };
    double mean = 0;
    for (std::int64_t row = 0; row < rows; ++row) {
      mean += at(row) / static_cast<double>(rows);
    }
    double variance = 0;
    for (std::int64_t row = 0; row < rows; ++row) {
      variance += (at(row) - mean) * (at(row) - mean) / static_cast<double>(rows);
    }
    const auto channel = static_cast<std::size_t>(c);
    ASSERT_NEAR(y.mean.elements()[channel], mean,
                std::abs(mean) * 0x1p-22 + std::sqrt(variance) * 1e-6)
        << "channel " << c;
    ASSERT_NEAR(y.variance.elements()[channel], variance, variance * error) << "channel " << c;
    ASSERT_GE(y.variance.elements()[channel], 0) << "channel " << c;
  }
}

double noise(std::int64_t row, std::int64_t channel) {
  return std::sin(static_cast<double>(row * row + 3 * row + 7 * channel + row * channel));
}

TEST(CpuMoments, AreThoseOfTwoPasses) {
  // Rows that fill no vector, no block, one block, several, several chunks; channels that are
  // worked on together, with rows left over, and more than a tile of them.
  for (const std::int64_t channels : {1, 2, 7, 16, 60, 64, 300}) {
    for (const std::int64_t rows : {1, 2, 5, 63, 64, 65, 4097, 9001}) {
      expect_moments("about zero", rows, channels, noise, 4e-6);
    }
  }
}

TEST(CpuMoments, KeepTheirDigitsFarFromZero) {
  for (const std::int64_t channels : {3, 64}) {
    const auto far = [](std::int64_t row, std::int64_t c) { return 10000 + noise(row, c); };
    expect_moments("all", 9001, channels, far, 1e-4);
    // Neither the first rows nor any others are near the mean of all.
    const auto steps = [](std::int64_t row, std::int64_t c) {
      return static_cast<double>(row / 500 * 1000) + noise(row, c);
    };
    expect_moments("in steps", 9001, channels, steps, 4e-6);
    const auto one = [](std::int64_t row, std::int64_t) { return row == 700 ? 1e6 : 0.0; };
    expect_moments("one of them", 9001, channels, one, 4e-6);
  }
}

TEST(CpuMoments, OfEqualElementsAreExact) {
  for (const float value : {0.1F, -3e7F, 1e-30F}) {
    const auto x = full<float>({9001, 3}, value, Device::cpu());
    const auto y = normalized(x);
    for (std::size_t c = 0; c < 3; ++c) {
      EXPECT_EQ(y.mean.elements()[c], value);
      EXPECT_EQ(y.variance.elements()[c], 0);
    }
  }
}

}  // namespace moments_test
}  // namespace ddx::backend::cpu
