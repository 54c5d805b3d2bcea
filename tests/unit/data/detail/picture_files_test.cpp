#include "ddx/data/detail/picture_files.h"

#include "ddx/core/error.h"
#include "ddx/io/image.h"
#include "ddx/io/jpeg.h"
#include "ddx/io/png.h"

#include "tests/support/temporary_folder.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::data::detail {
namespace picture_files_test {

using ddx::testing::message_of;
using ddx::testing::TemporaryFolder;

TEST(PictureFiles, AreListedByNameAndEnding) {
  const TemporaryFolder folder;
  for (const std::string name : {"b.PNG", "a.jpeg", "c.JpG", "d.gif", "png", ".png"}) {
    (void)folder.write(name, {});
  }
  std::filesystem::create_directory(folder.path() / "z.png");
  std::filesystem::create_directory(folder.path() / "y");
  const auto at = [&](const std::string& name) { return folder.path() / name; };
  EXPECT_EQ(pictures_in(folder.path(), "list"),
            (std::vector{at("a.jpeg"), at("b.PNG"), at("c.JpG")}));
  EXPECT_EQ(folders_in(folder.path(), "list"), (std::vector{at("y"), at("z.png")}));
  EXPECT_EQ(message_of<EnvironmentError>([&] { (void)folders_in(at("x"), "list"); }),
            "list: cannot read folder " + at("x").string() + ": No such file or directory");
}

TEST(PictureFiles, AreReadAsTheirNamesEnd) {
  const TemporaryFolder folder;
  const io::Image image(2, 3, {10, 200, 30});
  io::write_png(folder.path() / "a.PNG", image);
  EXPECT_EQ(read_picture(folder.path() / "a.PNG"), image);
  if (io::has_jpeg()) {
    io::write_jpeg(folder.path() / "a.jpg", io::Image(8, 8, {0, 0, 0}));
    EXPECT_EQ(read_picture(folder.path() / "a.jpg").width(), 8U);
  }
}

}  // namespace picture_files_test
}  // namespace ddx::data::detail
