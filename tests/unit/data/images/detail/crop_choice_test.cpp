#include "data/images/detail/crop_choice.h"

#include "ddx/core/random_key.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <set>

namespace ddx::data::detail {
namespace crop_choice_test {

TEST(RandomCropOf, StaysInsideThePictureAndTheRanges) {
  const PictureExtents picture{.height = 375, .width = 500};
  double least = 1;
  double largest = 0;
  double sum = 0;
  int flips = 0;
  std::set<std::int64_t> places;
  constexpr int count = 10000;
  for (int i = 0; i < count; ++i) {
    const auto [part, is_flipped] =
        random_crop_of(picture, {}, RandomKey(1).fold_in(static_cast<std::uint64_t>(i)));
    ASSERT_GE(part.top, 0);
    ASSERT_GE(part.left, 0);
    ASSERT_LE(part.top + part.height, picture.height);
    ASSERT_LE(part.left + part.width, picture.width);
    const auto height = static_cast<double>(part.height);
    const auto width = static_cast<double>(part.width);
    ASSERT_GE(width / height, 0.74);  // Rounded to whole points.
    ASSERT_LE(width / height, 1.35);
    const double area = height * width / (375 * 500);
    least = std::min(least, area);
    largest = std::max(largest, area);
    sum += area;
    flips += is_flipped ? 1 : 0;
    places.insert(part.left);
  }
  EXPECT_NEAR(least, 0.08, 0.005);
  EXPECT_GT(largest, 0.95);
  // The mean of 20,000 draws of torchvision 0.29.2, RandomResizedCrop.get_params, is 0.4319.
  EXPECT_NEAR(sum / count, 0.4319, 0.01);
  EXPECT_NEAR(flips, count / 2, 200);
  EXPECT_GT(places.size(), 150U);
}

TEST(RandomCropOf, IsTheMiddleOfAPictureWithNoSuchPart) {
  // Every part of this picture is wider than 4 / 3.
  const auto part =
      random_crop_of({.height = 10, .width = 100}, {.area = {0.9, 1}}, RandomKey(3)).rectangle;
  EXPECT_EQ(part.top, 0);
  EXPECT_EQ(part.height, 10);
  EXPECT_EQ(part.width, 13);
  EXPECT_EQ(part.left, 43);
}

TEST(MiddleOf, HasTheRatioOfTheSample) {
  const auto square = middle_of({.height = 375, .width = 500}, {.height = 224, .width = 224}, 0.8);
  EXPECT_FALSE(square.is_flipped);
  EXPECT_EQ(square.rectangle.height, 300);
  EXPECT_EQ(square.rectangle.width, 300);
  EXPECT_EQ(square.rectangle.top, 37);
  EXPECT_EQ(square.rectangle.left, 100);
  const auto wide = middle_of({.height = 90, .width = 100}, {.height = 1, .width = 2}, 1).rectangle;
  EXPECT_EQ(wide.height, 50);
  EXPECT_EQ(wide.width, 100);
  EXPECT_EQ(middle_of({.height = 2, .width = 2}, {.height = 1, .width = 1}, 0).rectangle.width, 1);
}

}  // namespace crop_choice_test
}  // namespace ddx::data::detail
