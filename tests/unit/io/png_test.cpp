#include "ddx/io/png.h"

#include "ddx/core/error.h"
#include "ddx/io/image.h"

#include "tests/support/picture.h"
#include "tests/support/recording.h"
#include "tests/support/temporary_folder.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <png.h>
#include <string>
#include <vector>

namespace ddx::io {
namespace png_test {

using ddx::testing::bytes_of;
using ddx::testing::message_of;
using ddx::testing::TemporaryFolder;

TEST(Png, AReaderFindsTheSamePoints) {
  Image image(3, 2, {10, 20, 30});
  image.set(2, 1, {255, 0, 7});
  const TemporaryFolder folder;
  const auto file = folder.path() / "a.png";
  write_png(file, image);

  const auto bytes = bytes_of(file);
  png_image description{};
  description.version = PNG_IMAGE_VERSION;
  ASSERT_NE(png_image_begin_read_from_memory(&description, bytes.data(), bytes.size()), 0);
  EXPECT_EQ(description.width, 3U);
  EXPECT_EQ(description.height, 2U);
  description.format = PNG_FORMAT_RGB;
  std::vector<std::uint8_t> points(PNG_IMAGE_SIZE(description));
  ASSERT_NE(png_image_finish_read(&description, nullptr, points.data(), 0, nullptr), 0);
  EXPECT_EQ(points, (std::vector<std::uint8_t>{10, 20, 30, 10, 20, 30, 10, 20, 30,  //
                                               10, 20, 30, 10, 20, 30, 255, 0, 7}));
}

TEST(Png, ReadsThePointsThatWereRecorded) {
  const auto recorded = ddx::testing::recorded_pictures(".png");
  ASSERT_EQ(recorded.size(), 8U);
  for (const auto& [name, image] : recorded) {
    EXPECT_EQ(read_png(ddx::testing::golden_file("pictures/" + name)), image) << name;
  }
}

TEST(Png, WhatIsWrittenIsRead) {
  Image image(5, 3, {1, 2, 3});
  image.set(4, 2, {255, 254, 0});
  const TemporaryFolder folder;
  write_png(folder.path() / "a", image);
  EXPECT_EQ(read_png(folder.path() / "a"), image);
}

TEST(Png, EveryTruncationAndEveryChangedByteIsReadOrRefused) {
  const auto whole = bytes_of(ddx::testing::golden_file("pictures/rgb.png"));
  ddx::testing::expect_total(whole, [](const auto& file) { return read_png(file); });
}

TEST(Png, AFileWithoutItsEndIsTruncatedAndWhatFollowsTheEndDoesNotCount) {
  auto bytes = bytes_of(ddx::testing::golden_file("pictures/point.png"));
  const TemporaryFolder folder;
  bytes.resize(bytes.size() - 12);
  const auto file = folder.write("a", bytes);
  EXPECT_EQ(message_of<EnvironmentError>([&] { (void)read_png(file); }),
            "read_png: " + file.string() + ": the file is truncated: it ends at byte " +
                std::to_string(bytes.size()) + ", inside a chunk or before the last one");
  auto longer = bytes_of(ddx::testing::golden_file("pictures/point.png"));
  longer.push_back(0);
  EXPECT_EQ(read_png(folder.write("a", longer)).points().size(), 1U);
}

TEST(Png, AClaimOfTooManyPointsIsRefusedBeforeMemoryIsTaken) {
  auto bytes = bytes_of(ddx::testing::golden_file("pictures/point.png"));
  const TemporaryFolder folder;
  const auto error = [&](std::uint8_t width, std::uint8_t height) {
    // Width and height stand at 16, the checksum of their chunk at 29.
    for (const std::size_t place : {17U, 18U, 19U}) {
      bytes[place] = width;
      bytes[place + 4] = height;
    }
    const auto checksum = ddx::testing::png_checksum({bytes.data() + 12, 17});
    for (std::size_t i = 0; i < 4; ++i) {
      bytes[29 + i] = static_cast<std::uint8_t>(checksum >> (24 - 8 * i));
    }
    const auto file = folder.write("a", bytes);
    const auto message = message_of<EnvironmentError>([&] { (void)read_png(file); });
    return message.substr(message.rfind(": ") + 2);
  };
  EXPECT_EQ(error(1, 0), "Invalid IHDR data");
  EXPECT_EQ(error(0, 1), "Invalid IHDR data");
  // 0x010101 points to a row.
  EXPECT_EQ(error(1, 1),
            "a picture of 65793 by 65793 points, at most 134217728 points are accepted; "
            "PngReadOptions::max_points is the limit");
}

TEST(Png, WhatIsNoPngIsNamed) {
  const TemporaryFolder folder;
  const auto file = folder.write("a", {});
  EXPECT_EQ(message_of<EnvironmentError>([&] { (void)read_png(file); }),
            "read_png: " + file.string() + ": the file is empty");
  const std::vector<std::uint8_t> text(100, 'x');
  EXPECT_EQ(message_of<EnvironmentError>([&] { (void)read_png(folder.write("a", text)); }),
            "read_png: " + file.string() + ": Not a PNG file");
}

TEST(Png, APictureWithoutPointsIsAnError) {
  EXPECT_EQ(message_of<UsageError>([] { write_png("a.png", Image(0, 4, {})); }),
            "encode_png: a picture of 0 by 4 points has no point");
}

TEST(Png, AnUnwritableFileIsNamed) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "absent" / "a.png";
  EXPECT_EQ(message_of<EnvironmentError>([&] { write_png(file, Image(1, 1, {})); }),
            "write_png: cannot write " + file.string() + ": No such file or directory");
}

TEST(Png, TheMostPointsCanBeChosen) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a.png";
  const Image picture(3, 2, {10, 20, 30});
  write_png(file, picture);
  EXPECT_EQ(read_png(file, {.max_points = 6}), picture);
  EXPECT_EQ(message_of<EnvironmentError>([&] { (void)read_png(file, {.max_points = 5}); }),
            "read_png: " + file.string() +
                ": a picture of 3 by 2 points, at most 5 points are accepted; "
                "PngReadOptions::max_points is the limit");
}

}  // namespace png_test
}  // namespace ddx::io
