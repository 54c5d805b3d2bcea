#include "ddx/data/sets/image_folder.h"

#include "ddx/core/error.h"
#include "ddx/io/image.h"
#include "ddx/io/jpeg.h"
#include "ddx/io/png.h"

#include "tests/support/temporary_folder.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::data {
namespace image_folder_test {

using ddx::testing::message_of;
using ddx::testing::TemporaryFolder;

/// A picture of one colour, as a file.
std::filesystem::path paint(const std::filesystem::path& file, io::Colour colour) {
  std::filesystem::create_directories(file.parent_path());
  io::write_png(file, io::Image(3, 2, colour));
  return file;
}

TEST(ImageFolder, ListsClassesAndPicturesByName) {
  const TemporaryFolder folder;
  const auto root = folder.path();
  const auto last = paint(root / "n02" / "b.png", {});
  const auto second = paint(root / "n01" / "z.PNG", {});
  const auto first = paint(root / "n01" / "a.JPEG", {});
  std::filesystem::create_directory(root / "n00");
  (void)folder.write("README.png", {});
  std::filesystem::copy_file(first, root / "n01" / "notes.txt");
  const auto found = read_image_folder(root);
  EXPECT_EQ(found.classes, (std::vector<std::string>{"n00", "n01", "n02"}));
  EXPECT_EQ(found.files, (std::vector<LabelledFile>{{first, 1}, {second, 1}, {last, 2}}));
}

TEST(ImageFolder, ReadsTrainingAndValidation) {
  const TemporaryFolder folder;
  for (const std::string set : {"train", "val"}) {
    (void)paint(folder.path() / set / "cat" / "1.png", {});
    (void)paint(folder.path() / set / "dog" / "1.png", {});
  }
  EXPECT_EQ(read_image_folders(folder.path()).validation.files[1].label, 1);
  std::filesystem::rename(folder.path() / "val/dog", folder.path() / "val/bird");
  EXPECT_EQ(message_of<EnvironmentError>([&] { (void)read_image_folders(folder.path()); }),
            "read_image_folders: " + folder.path().string() +
                ": the 2 classes of train are not the 2 of val");
}

TEST(ImageFolder, FoldersWithoutPicturesAreErrors) {
  const TemporaryFolder folder;
  const auto error = [](const std::filesystem::path& path) {
    return message_of<EnvironmentError>([&] { (void)read_image_folder(path); });
  };
  EXPECT_EQ(error(folder.path()), "read_image_folder: " + folder.path().string() +
                                      " has 0 folders of classes and no picture in them");
  EXPECT_EQ(error(folder.path() / "x"), "read_image_folder: cannot read folder " +
                                            (folder.path() / "x").string() +
                                            ": No such file or directory");
}

TEST(ImageFileDataset, MakesTensorsOfOneSize) {
  const TemporaryFolder folder;
  const auto red = paint(folder.path() / "a" / "red.png", {255, 0, 0});
  const auto blue = paint(folder.path() / "b" / "blue.png", {0, 0, 255});
  const ImageFileDataset dataset(
      {{red, 0}, {blue, 1}},
      {.height = 4, .width = 5, .mean = {0.5F, 0.25F, 0}, .deviation = {0.5F, 1, 2}});
  EXPECT_EQ(dataset.size(), 2);
  const std::array<std::int64_t, 3> samples = {1, 0, 1};
  const auto batch = dataset.batch(samples);
  EXPECT_EQ(batch.images.shape(), (Shape{3, 4, 5, 3}));
  EXPECT_EQ(batch.labels.values(), (std::vector<std::int32_t>{1, 0, 1}));
  // Blue: (0 - 0.5) / 0.5, (0 - 0.25) / 1, (1 - 0) / 2.
  EXPECT_EQ((batch.images[{0, 3, 4, 0}]), -1);
  EXPECT_EQ((batch.images[{0, 3, 4, 1}]), -0.25F);
  EXPECT_EQ((batch.images[{0, 3, 4, 2}]), 0.5F);
  EXPECT_EQ((batch.images[{1, 0, 0, 0}]), 1);
  EXPECT_EQ((batch.images[{1, 0, 0, 2}]), 0);
}

TEST(ImageFileDataset, ReadsJpegFiles) {
  if (!io::has_jpeg()) {
    GTEST_SKIP();
  }
  const TemporaryFolder folder;
  io::write_jpeg(folder.path() / "a.JPEG", io::Image(16, 16, {255, 255, 255}));
  const ImageFileDataset dataset({{folder.path() / "a.JPEG", 3}},
                                 {.height = 2, .width = 2, .mean = {}, .deviation = {1, 1, 1}});
  const std::array<std::int64_t, 1> samples = {0};
  EXPECT_NEAR((dataset.batch(samples).images[{0, 1, 1, 1}]), 1, 0.01);
}

TEST(ImageFileDataset, MistakesAreNamed) {
  EXPECT_EQ(message_of<UsageError>([] { (void)ImageFileDataset({}, {.height = 0}); }),
            "ImageFileDataset: pictures of 0 by 224 points");
  EXPECT_EQ(message_of<UsageError>([] { (void)ImageFileDataset({}, {.deviation = {1, 0, 1}}); }),
            "ImageFileDataset: a deviation is 0.000000");
}

}  // namespace image_folder_test
}  // namespace ddx::data
