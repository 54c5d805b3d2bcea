#include "ddx/data/images/augment.h"

#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/data/images/crop.h"
#include "ddx/data/images/flip.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <utility>

namespace ddx::data {
namespace augment_test {

using ddx::testing::thrown;

/// The same picture `count` times: 3 by 4 points, 1 to 12.
Tensor<float> pictures(std::int64_t count) {
  return broadcast_to(reshape(iota<float>(12) + 1.0F, {1, 3, 4, 1}), {count, 3, 4, 1});
}

TEST(Augment, EveryPlaceOfACropIsEquallyLikely) {
  const std::int64_t count = 6000;
  const auto crops = random_crop(pictures(count), {.height = 2, .width = 3}, RandomKey(1));
  std::map<std::pair<float, float>, int> places;
  for (std::int64_t i = 0; i < count; ++i) {
    const float first = crops[{i, 0, 0, 0}];
    ++places[{first, crops[{i, 1, 2, 0}] - first}];
  }
  // Corners 1, 2, 5, 6; the last point is one row and two columns on. A share of a quarter deviates
  // by 34 = sqrt(6000 / 4 * 3 / 4).
  ASSERT_EQ(places.size(), 4U);
  for (const auto& [place, times] : places) {
    EXPECT_EQ(place.second, 6);
    EXPECT_NEAR(times, 1500, 150) << place.first;
  }
}

TEST(Augment, PaddingPutsZerosAround) {
  const auto crops =
      random_crop(pictures(500), {.height = 5, .width = 6, .padding = 1}, RandomKey(2));
  const auto whole = pad(pictures(500), {0, 1, 1, 0}, {0, 1, 1, 0});
  EXPECT_EQ(crops, whole);
  const auto corners =
      random_crop(pictures(500), {.height = 1, .width = 1, .padding = 2}, RandomKey(2));
  const auto values = corners.values();
  EXPECT_EQ(*std::max_element(values.begin(), values.end()), 12);
  // 12 of 56 places are not zero: 107 of 500, deviation 9.
  EXPECT_NEAR(static_cast<double>(std::count(values.begin(), values.end(), 0.0F)), 500 - 107, 45);
}

TEST(Augment, EachPictureIsFlippedOrNot) {
  const std::int64_t count = 4000;
  const auto flips = random_flip(pictures(count), RandomKey(3), 0.25);
  const auto mirrored = flipped(pictures(1), Flip::LeftRight);
  std::int64_t times = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto one = slice(flips, {.start = {i, 0, 0, 0}, .stop = {i + 1, 3, 4, 1}});
    const bool is_flipped = one == mirrored;
    EXPECT_TRUE(is_flipped || one == pictures(1)) << i;
    times += is_flipped ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(times), 1000, 140);  // Deviation 27.
  EXPECT_EQ(random_flip(pictures(9), RandomKey(3), 0), pictures(9));
  EXPECT_EQ(random_flip(pictures(9), RandomKey(3), 1), flipped(pictures(9), Flip::LeftRight));
}

TEST(Augment, EqualKeysGiveEqualPictures) {
  const auto images = random_uniform<float>(RandomKey(9), {20, 3, 4, 3});
  const RandomCropOptions crop{.height = 2, .width = 2};
  const ColorJitterOptions jitter{
      .brightness = 0.4F, .contrast = 0.4F, .saturation = 0.4F, .hue = 0.1F};
  EXPECT_EQ(random_crop(images, crop, RandomKey(4)), random_crop(images, crop, RandomKey(4)));
  EXPECT_FALSE(random_crop(images, crop, RandomKey(4)) == random_crop(images, crop, RandomKey(5)));
  EXPECT_EQ(color_jitter(images, jitter, RandomKey(4)), color_jitter(images, jitter, RandomKey(4)));
  EXPECT_FALSE(color_jitter(images, jitter, RandomKey(4)) ==
               color_jitter(images, jitter, RandomKey(5)));
}

TEST(Augment, JitterStaysWithinItsRange) {
  const std::int64_t count = 3000;
  const auto images = full<float>({count, 1, 1, 3}, 0.5F);
  const auto values = color_jitter(images, {.brightness = 0.4F}, RandomKey(6)).values();
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  // 0.5 times [0.6, 1.4], both ends nearly reached.
  EXPECT_GE(*low, 0.3F - 1e-6F);
  EXPECT_LT(*low, 0.302F);
  EXPECT_LE(*high, 0.7F + 1e-6F);
  EXPECT_GT(*high, 0.698F);
  // Greys have no saturation and no hue; contrast moves away from the picture's own mean.
  const auto others =
      color_jitter(images, {.contrast = 1, .saturation = 1, .hue = 0.5F}, RandomKey(6)).values();
  for (const float value : others) {
    EXPECT_NEAR(value, 0.5F, 1e-6);
  }
  // Red turned by up to half a circle keeps its value and its least channel.
  const auto red = broadcast_to(Tensor<float>({1, 1, 1, 3}, {1, 0, 0}), {100, 1, 1, 3});
  const auto turned = color_jitter(red, {.hue = 0.5F}, RandomKey(7));
  for (std::int64_t i = 0; i < 100; ++i) {
    const float channels[] = {turned[{i, 0, 0, 0}], turned[{i, 0, 0, 1}], turned[{i, 0, 0, 2}]};
    EXPECT_NEAR(*std::max_element(channels, channels + 3), 1, 1e-5);
    EXPECT_NEAR(*std::min_element(channels, channels + 3), 0, 1e-5);
  }
}

TEST(Augment, WhatMakesNoSenseIsAnError) {
  const auto images = pictures(1);
  const RandomKey key(1);
  EXPECT_EQ(thrown<UsageError>([&] { (void)random_crop(images, {.height = 4, .width = 1}, key); }),
            "random_crop: 4 by 1 points at row 0 and column 0 of pictures of 3 by 4 (here)");
  EXPECT_EQ(thrown<UsageError>(
                [&] { (void)random_crop(images, {.height = 1, .width = 1, .padding = -1}, key); }),
            "random_crop: a padding of -1 does not lie in [0, 1048576] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)random_flip(reshape(images, {3, 4, 1}), key); }),
            "random_flip: shape [3, 4, 1] is not [n, h, w, c] (here)");
  EXPECT_NE(thrown<UsageError>([&] { (void)random_flip(images, key, 1.5); }), "nothing was thrown");
  EXPECT_EQ(thrown<UsageError>([&] { (void)color_jitter(images, {}, key); }),
            "color_jitter: shape [1, 3, 4, 1] has 1 channels, red, green and blue are required "
            "(here)");
  const auto colours = full<float>({1, 1, 1, 3}, 0.5F);
  EXPECT_EQ(thrown<UsageError>([&] { (void)color_jitter(colours, {.hue = 0.6F}, key); }),
            "color_jitter: the hue's range is 0.600000, it must lie in [0, 1/2] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)color_jitter(colours, {.contrast = -1}, key); }),
            "color_jitter: a range of -1.000000 does not lie in [0, 1e6] (here)");
}

}  // namespace augment_test
}  // namespace ddx::data
