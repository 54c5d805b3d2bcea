#include "ddx/data/sets/picture_pairs.h"

#include "ddx/core/error.h"
#include "ddx/io/image.h"

#include "tests/support/temporary_folder.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::data {
namespace picture_pairs_test {

using ddx::testing::message_of;
using ddx::testing::TemporaryFolder;

/// A folder with these files, empty.
void fill(const TemporaryFolder& folder, const std::vector<std::string>& files) {
  for (const auto& file : files) {
    std::filesystem::create_directories((folder.path() / file).parent_path());
    (void)folder.write(file, {});
  }
}

TEST(PicturePairs, ListsTwoKinds) {
  const TemporaryFolder folder;
  fill(folder, {"trainA/2.jpg", "trainA/1.jpg", "trainB/9.png", "testA/3.jpg", "testB/4.jpg"});
  const auto sets = read_two_kinds(folder.path());
  EXPECT_EQ(sets.training,
            (TwoKinds{.first = {folder.path() / "trainA/1.jpg", folder.path() / "trainA/2.jpg"},
                      .second = {folder.path() / "trainB/9.png"}}));
  EXPECT_EQ(sets.test.second[0].filename(), "4.jpg");
}

TEST(PicturePairs, NamesJoinPairs) {
  const TemporaryFolder folder;
  fill(folder, {"trainA/2.jpg", "trainA/1.jpg", "trainB/1.png", "trainB/2.png", "testA/3.jpg",
                "testB/3.jpg"});
  const auto sets = read_picture_pairs(folder.path());
  EXPECT_EQ(sets.training.first[1].filename(), "2.jpg");
  EXPECT_EQ(sets.training.second[1].filename(), "2.png");
  const auto error = [&] {
    return message_of<EnvironmentError>([&] { (void)read_picture_pairs(folder.path()); });
  };
  fill(folder, {"testB/4.jpg"});
  EXPECT_EQ(error(), "read_picture_pairs: " + (folder.path() / "testA").string() +
                         ": picture 1 is none, its counterpart is 4");
  std::filesystem::remove_all(folder.path() / "testA");
  std::filesystem::create_directory(folder.path() / "testA");
  EXPECT_EQ(error(),
            "read_picture_pairs: " + (folder.path() / "testA").string() + " has no picture");
}

TEST(PicturePairs, CutsAPictureIntoHalves) {
  const io::Colour a{1, 0, 0};
  const io::Colour b{2, 0, 0};
  const io::Colour c{3, 0, 0};
  const io::Colour d{4, 0, 0};
  const auto [left, right] = halves(io::Image({a, b, c, d, d, c, b, a}, 4, 2));
  EXPECT_EQ(left, io::Image({a, b, d, c}, 2, 2));
  EXPECT_EQ(right, io::Image({c, d, b, a}, 2, 2));
  EXPECT_EQ(message_of<UsageError>([] { (void)halves(io::Image(3, 1, {})); }),
            "halves: a picture of 3 points in a row");
}

}  // namespace picture_pairs_test
}  // namespace ddx::data
