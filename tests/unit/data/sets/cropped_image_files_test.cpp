#include "ddx/data/sets/cropped_image_files.h"

#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/data/epoch.h"
#include "ddx/data/images/crop.h"
#include "ddx/data/images/resize.h"
#include "ddx/io/image.h"
#include "ddx/io/image_tensor.h"
#include "ddx/io/jpeg.h"
#include "ddx/io/png.h"

#include "tests/support/temporary_folder.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

namespace ddx::data {
namespace cropped_image_files_test {

using ddx::testing::message_of;
using ddx::testing::TemporaryFolder;

static_assert(RandomDataset<CroppedImageFiles>);

/// Waves, so smooth that a reduced picture shows them too.
io::Image waves(std::size_t width, std::size_t height) {
  io::Image image(width, height, {});
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t x = 0; x < width; ++x) {
      const auto wave = [&](std::size_t place, double periods, std::size_t extent) {
        const double turns = periods * static_cast<double>(place) / static_cast<double>(extent);
        return static_cast<std::uint8_t>(
            std::lround(128 + 100 * std::sin(2 * std::numbers::pi * turns)));
      };
      image.set(x, y, {wave(x, 3, width), wave(y, 2, height), wave(x + y, 1, width)});
    }
  }
  return image;
}

constexpr ImageFileOptions plain = {.height = 20, .width = 20, .mean = {}, .deviation = {1, 1, 1}};

TEST(CroppedImageFiles, WithoutAKeyASampleIsTheMiddleOfItsPicture) {
  const TemporaryFolder folder;
  const auto image = waves(100, 80);
  io::write_png(folder.path() / "a.png", image);
  const CroppedImageFiles files(
      {{folder.path() / "a.png", 4}},
      {.height = 20, .width = 20, .mean = {0.5F, 0.25F, 0}, .deviation = {0.5F, 1, 2}});
  const std::array<std::int64_t, 2> samples = {0, 0};
  const auto batch = files.batch(samples);
  EXPECT_EQ(batch.images.shape(), (Shape{2, 20, 20, 3}));
  EXPECT_EQ(batch.labels.values(), (std::vector<std::int32_t>{4, 4}));
  // 0.875 of 80 points are 70.
  const auto middle = resized(cropped(io::to_tensor(image), {5, 15, 70, 70}),
                              {.height = 20, .width = 20, .antialias = true});
  const std::array<float, 3> mean = {0.5F, 0.25F, 0};
  const std::array<float, 3> deviation = {0.5F, 1, 2};
  for (std::size_t i = 0; i < middle.count(); ++i) {
    const float expected = (middle.elements()[i] - mean[i % 3]) / deviation[i % 3];
    ASSERT_NEAR(batch.images.elements()[i], expected, 1e-5) << i;
    ASSERT_EQ(batch.images.elements()[middle.count() + i], batch.images.elements()[i]);
  }
}

TEST(CroppedImageFiles, TheKeyDeterminesTheBatch) {
  const TemporaryFolder folder;
  io::write_png(folder.path() / "a.png", waves(100, 80));
  const CroppedImageFiles files({{folder.path() / "a.png", 0}}, plain);
  const std::array<std::int64_t, 2> samples = {0, 0};
  const auto first = files.batch(samples, RandomKey(1)).images.values();
  EXPECT_EQ(files.batch(samples, RandomKey(1)).images.values(), first);
  EXPECT_NE(files.batch(samples, RandomKey(2)).images.values(), first);
  const std::vector<float> one(first.begin(), first.begin() + 1200);
  EXPECT_NE(std::vector<float>(first.begin() + 1200, first.end()), one);
}

TEST(CroppedImageFiles, APartOfAJpegFileIsThatOfTheWholePicture) {
  if (!io::has_jpeg()) {
    GTEST_SKIP() << "built without libjpeg-turbo";
  }
  const TemporaryFolder folder;
  // Up to 400 points to 20: the parts are decoded at up to an eighth of their size.
  io::write_jpeg(folder.path() / "a.jpg", waves(400, 300), {.quality = 98});
  io::write_png(folder.path() / "a.png", io::read_jpeg(folder.path() / "a.jpg"));
  const CroppedImageFiles jpeg({{folder.path() / "a.jpg", 0}}, plain);
  const CroppedImageFiles png({{folder.path() / "a.png", 0}}, plain);
  const std::array<std::int64_t, 12> samples = {};
  const auto ours = jpeg.batch(samples, RandomKey(5)).images;
  const auto expected = png.batch(samples, RandomKey(5)).images;
  double sum = 0;
  for (std::size_t i = 0; i < ours.count(); ++i) {
    const double difference = std::abs(ours.elements()[i] - expected.elements()[i]);
    ASSERT_LT(difference, 0.04) << i;
    sum += difference;
  }
  EXPECT_LT(sum / static_cast<double>(ours.count()), 0.005);
}

TEST(CroppedImageFiles, MistakesAreNamed) {
  const auto error = [](const ImageFileOptions& options, const ImageCropOptions& crop) {
    return message_of<UsageError>([&] { (void)CroppedImageFiles({}, options, crop); });
  };
  EXPECT_EQ(error({.height = 0}, {}), "CroppedImageFiles: samples of 0 by 224 points");
  EXPECT_EQ(error({.deviation = {1, 0, 1}}, {}), "CroppedImageFiles: a deviation is 0.000000");
  EXPECT_EQ(error({}, {.area = {0.5, 0.25}}),
            "CroppedImageFiles: the area from 0.500000 to 0.250000, a range within (0, 1.000000] "
            "is required");
  EXPECT_EQ(error({}, {.aspect_ratio = {0, 1}}),
            "CroppedImageFiles: the aspect ratio from 0.000000 to 1.000000, a range within (0, "
            "1000.000000] is required");
  EXPECT_EQ(error({}, {.flip_probability = 1.5}),
            "CroppedImageFiles: the probability of a flip is 1.500000, it must lie in [0, 1]");
  EXPECT_EQ(error({}, {.center = -1}),
            "CroppedImageFiles: the share of the middle is -1.000000, it must lie in (0, 1]");
  EXPECT_EQ(error({}, {.center = 0}),
            "CroppedImageFiles: the share of the middle is 0.000000, it must lie in (0, 1]");
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(error({.mean = {0, std::nanf(""), 0}}, {}), "CroppedImageFiles: a mean is nan");
  EXPECT_EQ(error({.mean = {0, 0, -infinity}}, {}), "CroppedImageFiles: a mean is -inf");
}

TEST(CroppedImageFiles, ASampleThatDoesNotExistIsNamed) {
  const CroppedImageFiles files({{"/no/such.png", 0}, {"/no/such.png", 1}}, plain);
  const std::array<std::int64_t, 2> beyond = {0, 2};
  const std::array<std::int64_t, 1> below = {-1};
  EXPECT_EQ(message_of<UsageError>([&] { (void)files.batch(beyond); }),
            "CroppedImageFiles: sample 2 of 2");
  EXPECT_EQ(message_of<UsageError>([&] { (void)files.batch(below, RandomKey(1)); }),
            "CroppedImageFiles: sample -1 of 2");
}

TEST(CroppedImageFiles, AFileThatCannotBeReadIsNamed) {
  const CroppedImageFiles files({{"/no/such.png", 0}}, plain);
  const std::array<std::int64_t, 1> samples = {0};
  EXPECT_NE(message_of<EnvironmentError>([&] { (void)files.batch(samples); }).find("/no/such.png"),
            std::string::npos);
}

}  // namespace cropped_image_files_test
}  // namespace ddx::data
