#include "ddx/data/images/color.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recording.h"
#include "tests/support/thrown.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <span>
#include <vector>

namespace ddx::data {
namespace color_test {

using ddx::testing::thrown;

using Values = std::vector<float>;

void expect_near(const Tensor<float>& found, const Values& expected) {
  ASSERT_EQ(found.count(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(found.elements()[i], expected[i], 2e-6) << i;
  }
}

/// Two pictures of one row of two points.
const Tensor<float> images({2, 1, 2, 3}, {0, 0.5F, 1, 0.2F, 0.2F, 0.2F,  //
                                          1, 0, 0, 0, 0, 1});

TEST(Color, ChannelsAreNormalizedByNumbersOfTheirOwn) {
  const Values mean = {0.5F, 0, 1};
  const Values deviation = {0.5F, 2, -1};
  expect_near(channels_normalized(images, mean, deviation),
              {-1, 0.25F, 0, -0.6F, 0.1F, 0.8F, 1, 0, 1, -1, 0, 0});
}

TEST(Color, BrightnessMultiplies) {
  expect_near(with_brightness(images, 1.5F), {0, 0.75F, 1, 0.3F, 0.3F, 0.3F, 1, 0, 0, 0, 0, 1});
  expect_near(with_brightness(images, 0), Values(12, 0));
}

TEST(Color, ContrastMovesAwayFromTheMeanGreyOfEachPicture) {
  // Greys 0.587/2 + 0.114 = 0.4075 and 0.2, mean 0.30375; 0.299 and 0.114, mean 0.2065.
  expect_near(with_contrast(images, 0.5F),
              {0.151875F, 0.401875F, 0.651875F, 0.251875F, 0.251875F, 0.251875F,  //
               0.60325F, 0.10325F, 0.10325F, 0.10325F, 0.10325F, 0.60325F});
  expect_near(with_contrast(images, 2),
              {0, 0.69625F, 1, 0.09625F, 0.09625F, 0.09625F, 1, 0, 0, 0, 0, 1});
}

TEST(Color, SaturationMovesAwayFromTheGreyOfEachPoint) {
  expect_near(with_saturation(images, 0), {0.4075F, 0.4075F, 0.4075F, 0.2F, 0.2F, 0.2F,  //
                                           0.299F, 0.299F, 0.299F, 0.114F, 0.114F, 0.114F});
  expect_near(with_saturation(images, 1), images.values());
}

TEST(Color, HuesTurnAsRecorded) {
  const auto rows = ddx::testing::recording("images.json")["hues"];
  ASSERT_EQ(rows.size(), 6U);
  for (const auto& row : rows) {
    const auto x = row["x"].get<Values>();
    const Tensor<float> image({1, static_cast<std::int64_t>(x.size() / 3), 3},
                              std::span<const float>(x));
    expect_near(with_hue(image, row["turn"]), row["y"].get<Values>());
  }
}

TEST(Color, WhatMakesNoSenseIsAnError) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(thrown<UsageError>([] { (void)with_brightness(images, -1); }),
            "with_brightness: the factor is -1.000000, at least 0 is required (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)with_contrast(images, nan); }),
            "with_contrast: the factor is nan, at least 0 is required (here)");
  EXPECT_EQ(thrown<UsageError>(
                [] { (void)with_saturation(images, std::numeric_limits<float>::infinity()); }),
            "with_saturation: the factor is inf, at least 0 is required (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)with_hue(images, nan); }),
            "with_hue: the turn is nan (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)with_hue(Tensor<float>({1, 1, 1}, {0}), 0); }),
            "with_hue: shape [1, 1, 1] has 1 channels, red, green and blue are required (here)");
  const Values one = {1};
  const Values three = {1, 0, 1};
  EXPECT_EQ(thrown<UsageError>([&] { (void)channels_normalized(images, one, three); }),
            "channels_normalized: 1 means and 3 deviations for shape [2, 1, 2, 3] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)channels_normalized(images, three, three); }),
            "channels_normalized: a deviation is 0 (here)");
}

}  // namespace color_test
}  // namespace ddx::data
