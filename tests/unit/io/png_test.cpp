#include "ddx/io/png.h"

#include "ddx/core/error.h"
#include "ddx/io/image.h"

#include "tests/support/temporary_folder.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <png.h>
#include <vector>

namespace ddx::io {
namespace {

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

}  // namespace
}  // namespace ddx::io
