#include "ddx/io/jpeg.h"

#include "ddx/core/error.h"
#include "ddx/io/image.h"

#include "tests/support/picture.h"
#include "tests/support/recording.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::io {
namespace jpeg_test {

using ddx::testing::bytes_of;
using ddx::testing::golden_file;
using ddx::testing::message_of;
using ddx::testing::TemporaryFolder;

/// The largest difference of a channel.
int difference(const Image& a, const Image& b) {
  int largest = 0;
  for (std::size_t i = 0; i < a.points().size(); ++i) {
    const auto& p = a.points()[i];
    const auto& q = b.points()[i];
    largest = std::max(
        {largest, std::abs(p.red - q.red), std::abs(p.green - q.green), std::abs(p.blue - q.blue)});
  }
  return largest;
}

/// Skips a test of a library that was built without libjpeg-turbo.
class Jpeg : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_jpeg()) {
      GTEST_SKIP() << "built without libjpeg-turbo";
    }
  }
};

TEST(JpegAbsence, IsAnErrorThatNamesTheFile) {
  if (!has_jpeg()) {
    EXPECT_EQ(message_of<EnvironmentError>([] { (void)read_jpeg("a.jpg"); }),
              "read_jpeg: a.jpg: this ddx was built without libjpeg-turbo");
    EXPECT_EQ(message_of<EnvironmentError>([] { write_jpeg("a.jpg", Image(1, 1, {})); }),
              "write_jpeg: a.jpg: this ddx was built without libjpeg-turbo");
  }
}

TEST_F(Jpeg, ReadsThePointsThatWereRecorded) {
  const auto recorded = ddx::testing::recorded_pictures(".jpg");
  ASSERT_EQ(recorded.size(), 4U);
  for (const auto& [name, image] : recorded) {
    const auto read = read_jpeg(golden_file("pictures/" + name));
    ASSERT_EQ(read.width(), image.width()) << name;
    ASSERT_EQ(read.height(), image.height()) << name;
    // Decoders may round differently by one or two.
    EXPECT_LE(difference(read, image), 2) << name;
  }
}

TEST_F(Jpeg, WhatIsWrittenIsReadUpToTheLossOfItsQuality) {
  Image image(40, 24, {});
  for (std::size_t y = 0; y < image.height(); ++y) {
    for (std::size_t x = 0; x < image.width(); ++x) {
      const auto level = static_cast<std::uint8_t>(3 * x + 4 * y);
      image.set(x, y, {level, level, level});
    }
  }
  const TemporaryFolder folder;
  write_jpeg(folder.path() / "good", image, {.quality = 100});
  write_jpeg(folder.path() / "poor", image, {.quality = 5});
  EXPECT_LE(difference(read_jpeg(folder.path() / "good"), image), 2);
  EXPECT_GT(difference(read_jpeg(folder.path() / "poor"), image), 5);
  EXPECT_LT(bytes_of(folder.path() / "poor").size(), bytes_of(folder.path() / "good").size());
}

TEST_F(Jpeg, EveryTruncationAndEveryChangedByteIsReadOrRefused) {
  for (const std::string name : {"grey.jpg", "progressive.jpg"}) {
    ddx::testing::expect_total(bytes_of(golden_file("pictures/" + name)),
                               [](const auto& file) { return read_jpeg(file); });
  }
}

TEST_F(Jpeg, ATruncatedPictureIsTakenWhereThatIsAskedFor) {
  auto bytes = bytes_of(golden_file("pictures/slopes.jpg"));
  bytes.resize(bytes.size() - 20);
  const TemporaryFolder folder;
  const auto file = folder.write("a", bytes);
  EXPECT_EQ(message_of<EnvironmentError>([&] { (void)read_jpeg(file); }),
            "read_jpeg: " + file.string() + ": Premature end of JPEG file");
  EXPECT_EQ(read_jpeg(file, {.tolerates_damage = true}).width(), 13U);
}

TEST_F(Jpeg, AClaimOfTooManyPointsIsRefusedBeforeMemoryIsTaken) {
  auto bytes = bytes_of(golden_file("pictures/grey.jpg"));
  // The frame header: marker, length, precision, height, width.
  const std::vector<std::uint8_t> marker = {0xFF, 0xC0};
  const auto frame = std::search(bytes.begin(), bytes.end(), marker.begin(), marker.end());
  ASSERT_LT(frame - bytes.begin(), 300);
  const TemporaryFolder folder;
  const auto error = [&](std::uint8_t size) {
    std::fill_n(frame + 5, 4, size);
    const auto file = folder.write("a", bytes);
    const auto message = message_of<EnvironmentError>([&] { (void)read_jpeg(file); });
    return message.substr(message.rfind(": ") + 2);
  };
  EXPECT_EQ(error(0xF0),
            "a picture of 61680 by 61680 points, at most 134217728 points are accepted; "
            "JpegReadOptions::max_points is the limit");
  EXPECT_EQ(error(0x10), "a picture of 4112 by 4112 points does not fit a file of " +
                             std::to_string(bytes.size()) + " bytes");
}

TEST_F(Jpeg, WhatIsNoPictureOfColoursIsNamed) {
  const TemporaryFolder folder;
  const auto error = [&](const std::filesystem::path& file) {
    const auto message = message_of<EnvironmentError>([&] { (void)read_jpeg(file); });
    const auto start = "read_jpeg: " + file.string() + ": ";
    return message.starts_with(start) ? message.substr(start.size()) : message;
  };
  EXPECT_EQ(error(folder.write("a", {})), "the file is empty");
  EXPECT_EQ(error(golden_file("pictures/rgb.png")), "Not a JPEG file: starts with 0x89 0x50");
  EXPECT_EQ(error(golden_file("pictures/cmyk.jpg")), "Unsupported color conversion request");
}

TEST_F(Jpeg, WhatCannotBeWrittenIsAnError) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a";
  EXPECT_EQ(message_of<UsageError>([&] { write_jpeg(file, Image(0, 4, {})); }),
            "write_jpeg: a picture of 0 by 4 points; each side must lie in [1, 65500]");
  EXPECT_EQ(message_of<UsageError>([&] { write_jpeg(file, Image(65501, 1, {})); }),
            "write_jpeg: a picture of 65501 by 1 points; each side must lie in [1, 65500]");
  for (const int quality : {0, 101}) {
    EXPECT_EQ(
        message_of<UsageError>([&] { write_jpeg(file, Image(1, 1, {}), {.quality = quality}); }),
        "write_jpeg: the quality is " + std::to_string(quality) + ", it must lie in [1, 100]");
  }
  EXPECT_EQ(folder.entry_count(), 0);
}

}  // namespace jpeg_test
}  // namespace ddx::io
