#include "ddx/data/images/resize.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recording.h"
#include "tests/support/thrown.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace ddx::data {
namespace resize_test {

using ddx::testing::thrown;

TEST(Resize, GivesThePointsThatWereRecorded) {
  const std::map<std::string, Interpolation> modes = {{"nearest-exact", Interpolation::Nearest},
                                                      {"bilinear", Interpolation::Bilinear},
                                                      {"bicubic", Interpolation::Bicubic}};
  const auto rows = ddx::testing::recording("images.json")["resized"];
  ASSERT_EQ(rows.size(), 40U);
  for (const auto& row : rows) {
    const auto from = row["from"].get<std::vector<std::int64_t>>();
    const auto x = row["x"].get<std::vector<float>>();
    const Tensor<float> images(Shape{std::span<const std::int64_t>(from)},
                               std::span<const float>(x));
    const auto y = resized(images, {.height = row["to"][0],
                                    .width = row["to"][1],
                                    .interpolation = modes.at(row["mode"]),
                                    .antialias = row["antialias"]});
    const auto expected = row["y"].get<std::vector<float>>();
    ASSERT_EQ(y.count(), expected.size());
    EXPECT_EQ(y.shape()[1], row["to"][0].get<std::int64_t>());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_NEAR(y.elements()[i], expected[i], 2e-6)
          << row["mode"] << row["antialias"] << row["from"] << row["to"] << i;
    }
  }
}

TEST(Resize, OnePictureIsTakenWithoutABatch) {
  const Tensor<float> image({2, 1, 1}, {0, 1});
  const auto y = resized(image, {.height = 4, .width = 1});
  EXPECT_EQ(y.shape(), (Shape{4, 1, 1}));
  EXPECT_EQ(y.values(), (std::vector<float>{0, 0.25F, 0.75F, 1}));
  EXPECT_EQ(resized(zeros<float>({0, 2, 2, 3}), {.height = 4, .width = 1}).shape(),
            (Shape{0, 4, 1, 3}));
}

TEST(Resize, WhatHasNoPointIsAnError) {
  const Tensor<float> image({2, 1, 1}, {0, 1});
  EXPECT_EQ(thrown<UsageError>([&] { (void)resized(image, {.height = 0, .width = 1}); }),
            "resized: shape [2, 1, 1] to 0 by 1 points, both need one or more (here)");
  EXPECT_EQ(thrown<UsageError>(
                [&] { (void)resized(zeros<float>({1, 0, 1}), {.height = 1, .width = 1}); }),
            "resized: shape [1, 0, 1] to 1 by 1 points, both need one or more (here)");
  EXPECT_EQ(
      thrown<UsageError>([&] { (void)resized(zeros<float>({1, 1}), {.height = 1, .width = 1}); }),
      "resized: shape [1, 1] is neither [n, h, w, c] nor [h, w, c] (here)");
  EXPECT_EQ(
      thrown<UsageError>([&] {
        (void)resized(
            image,
            {.height = 1, .width = 1, .interpolation = Interpolation::Nearest, .antialias = true});
      }),
      "resized: antialiasing has no meaning for the nearest point or the area (here)");
}

}  // namespace resize_test
}  // namespace ddx::data
