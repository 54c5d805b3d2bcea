#include "ddx/train/prediction_sheet.h"

#include "ddx/core/error.h"
#include "ddx/data/labelled_images.h"
#include "ddx/io/image.h"

#include "tests/support/temporary_folder.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::train {
namespace prediction_sheet_test {

using ddx::testing::message_of;

/// Two grey images of 20 by 1 points: all 50, all 60.
data::LabelledImages two_images() {
  data::LabelledImages images{
      .height = 1, .width = 20, .channels = 1, .pixels = {}, .labels = {1, 7}};
  images.pixels.insert(images.pixels.end(), 20, 50);
  images.pixels.insert(images.pixels.end(), 20, 60);
  return images;
}

/// The points of one colour below the images, as text.
std::string drawn(const io::Image& image, std::size_t left, io::Colour colour) {
  std::string text;
  for (std::size_t y = 5; y < 12; ++y) {
    for (std::size_t x = left; x < left + 5; ++x) {
      text += image.at(x, y) == colour ? '#' : '.';
    }
    text += '\n';
  }
  return text;
}

TEST(PredictionSheet, ShowsImagesAndPredictions) {
  const auto sheet =
      prediction_sheet(two_images(), std::vector<std::int32_t>{1, 4}, {.columns = 2, .zoom = 1});
  // Cells of 20 + 2 * 2 by 1 + 7 + 3 * 2 points.
  ASSERT_EQ(sheet.width(), 48U);
  ASSERT_EQ(sheet.height(), 14U);
  EXPECT_EQ(sheet.at(2, 2), (io::Colour{50, 50, 50}));
  EXPECT_EQ(sheet.at(26, 2), (io::Colour{60, 60, 60}));
  EXPECT_EQ(sheet.at(0, 0), (io::Colour{255, 255, 255}));
  const io::Colour green{0, 140, 60};
  const io::Colour red{210, 30, 30};
  EXPECT_EQ(drawn(sheet, 2, green), "..#..\n.##..\n..#..\n..#..\n..#..\n..#..\n.###.\n");
  EXPECT_EQ(drawn(sheet, 26, red), "...#.\n..##.\n.#.#.\n#..#.\n#####\n...#.\n...#.\n");
}

TEST(PredictionSheet, ColumnsAndZoomGiveTheSize) {
  const auto sheet =
      prediction_sheet(two_images(), std::vector<std::int32_t>{1, 255}, {.columns = 1, .zoom = 3});
  EXPECT_EQ(sheet.width(), 3U * 24);
  EXPECT_EQ(sheet.height(), 3U * 28);
  EXPECT_EQ(sheet.at(8, 8), (io::Colour{50, 50, 50}));
}

TEST(PredictionSheet, ThreeChannelsAreColours) {
  const data::LabelledImages images{
      .height = 1, .width = 1, .channels = 3, .pixels = {1, 2, 3}, .labels = {0}};
  const auto sheet =
      prediction_sheet(images, std::vector<std::int32_t>{0}, {.columns = 1, .zoom = 1});
  EXPECT_EQ(sheet.at(2, 2), (io::Colour{1, 2, 3}));
}

TEST(PredictionSheet, WhatCannotBeShownIsAnError) {
  const auto error = [](const std::vector<std::int32_t>& predicted, const SheetOptions& options) {
    return message_of<UsageError>(
        [&] { (void)prediction_sheet(two_images(), predicted, options); });
  };
  EXPECT_EQ(error({}, {}), "prediction_sheet: 0 predictions for 2 images");
  EXPECT_EQ(error({1, 2, 3}, {}), "prediction_sheet: 3 predictions for 2 images");
  EXPECT_EQ(error({1, -2}, {}), "prediction_sheet: class -2 is not in [0, 255]");
  EXPECT_EQ(error({1, 256}, {}), "prediction_sheet: class 256 is not in [0, 255]");
  EXPECT_EQ(error({1}, {.columns = 0, .zoom = 2}),
            "prediction_sheet: columns 0 and zoom 2, at least 1 is required");
  EXPECT_EQ(error({1}, {.columns = 3, .zoom = 0}),
            "prediction_sheet: columns 3 and zoom 0, at least 1 is required");
}

}  // namespace prediction_sheet_test
}  // namespace ddx::train
