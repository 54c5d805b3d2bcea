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
#include <filesystem>
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
    EXPECT_EQ(message_of<EnvironmentError>([] { (void)JpegFile("a.jpg"); }),
              "JpegFile: a.jpg: this ddx was built without libjpeg-turbo");
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

/// A picture with edges and colours everywhere, whose coded form has 4 blocks and more each way.
Image chequered(std::size_t width, std::size_t height) {
  Image image(width, height, {});
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t x = 0; x < width; ++x) {
      const auto edge = static_cast<std::uint8_t>((x / 5 + y / 3) % 2 == 0 ? 200 : 30);
      image.set(x, y, {edge, static_cast<std::uint8_t>(3 * x), static_cast<std::uint8_t>(5 * y)});
    }
  }
  return image;
}

/// The points of a rectangle.
Image cut_out(const Image& image, const JpegPart& part) {
  Image result(part.width, part.height, {});
  for (std::size_t y = 0; y < part.height; ++y) {
    for (std::size_t x = 0; x < part.width; ++x) {
      result.set(x, y, image.at(part.left + x, part.top + y));
    }
  }
  return result;
}

TEST_F(Jpeg, APartIsThatOfTheWholePicture) {
  const TemporaryFolder folder;
  std::vector<std::filesystem::path> files = {folder.path() / "a.jpg"};
  write_jpeg(files[0], chequered(83, 61));
  for (const std::string name : {"grey.jpg", "half.jpg", "progressive.jpg", "slopes.jpg"}) {
    files.push_back(golden_file("pictures/" + name));
  }
  for (const auto& path : files) {
    const auto whole = read_jpeg(path);
    const JpegFile file(path);
    ASSERT_EQ(file.width(), whole.width());
    ASSERT_EQ(file.height(), whole.height());
    for (std::size_t top = 0; top < file.height(); top += 3) {
      for (std::size_t left = 0; left < file.width(); ++left) {
        for (const std::size_t extent : {1U, 9U, 40U}) {
          const JpegPart part{.top = top,
                              .left = left,
                              .height = std::min(extent, file.height() - top),
                              .width = std::min(extent + 3, file.width() - left)};
          ASSERT_EQ(file.part(part), cut_out(whole, part))
              << path << " " << top << " " << left << " " << extent;
        }
      }
    }
  }
}

TEST_F(Jpeg, AReducedPartHasTheMeansOfTheSquaresThatItTouches) {
  const TemporaryFolder folder;
  Image slope(83, 61, {});
  for (std::size_t y = 0; y < slope.height(); ++y) {
    for (std::size_t x = 0; x < slope.width(); ++x) {
      const auto level = static_cast<std::uint8_t>(2 * x + y);
      slope.set(x, y, {level, level, level});
    }
  }
  write_jpeg(folder.path() / "a", slope, {.quality = 100});
  const JpegFile file(folder.path() / "a");
  for (const std::size_t r : {1U, 2U, 4U, 8U}) {
    const auto image = file.part({.top = 7, .left = 17, .height = 30, .width = 40, .reduction = r});
    const std::size_t top = 7 / r;
    const std::size_t left = 17 / r;
    ASSERT_EQ(image.height(), (37 + r - 1) / r - top);
    ASSERT_EQ(image.width(), (57 + r - 1) / r - left);
    for (std::size_t y = 0; y < image.height(); ++y) {
      for (std::size_t x = 0; x < image.width(); ++x) {
        // The mean of 2 x + y over a square: its value in the middle.
        const double middle = 0.5 * static_cast<double>(r - 1);
        const double expected = 2 * (static_cast<double>((left + x) * r) + middle) +
                                static_cast<double>((top + y) * r) + middle;
        EXPECT_NEAR(image.at(x, y).green, expected, 2.5) << r << " " << x << " " << y;
      }
    }
  }
}

TEST_F(Jpeg, PartsOfDamagedFilesAreReadOrRefused) {
  const TemporaryFolder folder;
  for (const std::string name : {"grey.jpg", "half.jpg", "progressive.jpg"}) {
    const auto whole = bytes_of(golden_file("pictures/" + name));
    const auto error = [&](const std::vector<std::uint8_t>& bytes) {
      const auto path = folder.write("a", bytes);
      return message_of<EnvironmentError>([&] {
        const JpegFile file(path);
        for (const std::size_t reduction : {1U, 2U, 8U}) {
          (void)file.part({.top = file.height() / 2,
                           .left = file.width() / 2,
                           .height = 1,
                           .width = 1,
                           .reduction = reduction});
        }
      });
    };
    EXPECT_EQ(error(whole), "(no exception)");
    EXPECT_NE(error({whole.begin(), whole.begin() + 200}), "(no exception)");
    for (std::size_t place = 0; place < whole.size(); ++place) {
      EXPECT_NE(error({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(place)}),
                "(another exception)");
      auto bytes = whole;
      bytes[place] = static_cast<std::uint8_t>(bytes[place] ^ 255);
      EXPECT_NE(error(bytes), "(another exception)") << place;
    }
  }
}

TEST_F(Jpeg, APartThatDoesNotExistIsAnError) {
  const TemporaryFolder folder;
  write_jpeg(folder.path() / "a", Image(6, 4, {}));
  const JpegFile file(folder.path() / "a");
  const auto error = [&](const JpegPart& part) {
    return message_of<UsageError>([&] { (void)file.part(part); });
  };
  EXPECT_EQ(error({.top = 1, .left = 2, .height = 3, .width = 5}),
            "JpegFile::part: 5 by 3 points from column 2, row 1 of a picture of 6 by 4");
  EXPECT_EQ(error({.height = 0, .width = 1}),
            "JpegFile::part: 1 by 0 points from column 0, row 0 of a picture of 6 by 4");
  EXPECT_EQ(error({.height = 1, .width = 1, .reduction = 3}),
            "JpegFile::part: the reduction is 3, it must be 1, 2, 4 or 8");
  EXPECT_EQ(message_of<EnvironmentError>([&] { (void)JpegFile(folder.write("b", {})); }),
            "JpegFile: " + (folder.path() / "b").string() + ": the file is empty");
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
