#include "ddx/data/sets/mnist.h"

#include "ddx/core/error.h"

#include "tests/support/idx_files.h"
#include "tests/support/temporary_folder.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::data {
namespace mnist_test {

using ddx::testing::idx_images;
using ddx::testing::idx_labels;
using ddx::testing::message_of;
using ddx::testing::TemporaryFolder;
using ddx::testing::write_small_mnist;

using Bytes = std::vector<std::uint8_t>;

const std::filesystem::path published = DDX_MNIST;

TEST(Mnist, ReadsThePublishedFiles) {
  const auto sets = read_mnist(published);
  EXPECT_EQ(sets.training.size(), 60000);
  EXPECT_EQ(sets.test.size(), 10000);
  EXPECT_EQ(sets.training.height, 28);
  EXPECT_EQ(sets.training.width, 28);
  EXPECT_EQ(sets.training.channels, 1);
  EXPECT_EQ(sets.test.pixels.size(), 10000U * 28 * 28);
  // The first labels of the published test set, and how often each digit occurs in it.
  EXPECT_EQ(Bytes(sets.test.labels.begin(), sets.test.labels.begin() + 5), (Bytes{7, 2, 1, 0, 4}));
  std::array<int, 10> counts{};
  for (const auto label : sets.test.labels) {
    ++counts[label];
  }
  EXPECT_EQ(counts, (std::array<int, 10>{980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009}));
}

TEST(Mnist, ReadsUncompressedFiles) {
  const TemporaryFolder folder;
  write_small_mnist(folder);
  const auto sets = read_mnist(folder.path());
  EXPECT_EQ(sets.training.pixels, (Bytes{11, 22}));
  EXPECT_EQ(sets.test.labels, (Bytes{7, 9}));
}

TEST(Mnist, AMissingFileIsNamed) {
  const TemporaryFolder folder;
  const auto missing = folder.path() / "train-images-idx3-ubyte.gz";
  EXPECT_EQ(message_of<EnvironmentError>([&] { (void)read_mnist(folder.path()); }),
            "read_idx: cannot read " + missing.string() + ": no such file");
}

TEST(Mnist, InconsistentFilesAreAnError) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "train-labels-idx1-ubyte";
  const auto error = [&] {
    return message_of<EnvironmentError>([&] { (void)read_mnist(folder.path()); });
  };
  write_small_mnist(folder);
  (void)folder.write("train-labels-idx1-ubyte", idx_labels({7, 9, 1}));
  EXPECT_EQ(error(), "read_mnist: " + file.string() + ": 3 labels for 2 images");
  (void)folder.write("train-labels-idx1-ubyte", idx_labels({7, 10}));
  EXPECT_EQ(error(),
            "read_mnist: " + file.string() + ", byte 9: label is 10, at most 9 is expected");
  (void)folder.write("train-labels-idx1-ubyte", idx_labels({}));
  (void)folder.write("train-images-idx3-ubyte", idx_images({}));
  EXPECT_EQ(error(), "read_mnist: " + (folder.path() / "train-images-idx3-ubyte").string() +
                         ": the set is empty");
}

TEST(Mnist, AFolderThatTheSystemRefusesToLookAtIsNamed) {
  const std::filesystem::path folder = std::string(300, 'n');
  EXPECT_EQ(message_of<EnvironmentError>([&] { (void)read_mnist(folder); }),
            "read_mnist: cannot read " + (folder / "train-images-idx3-ubyte.gz").string() +
                ": File name too long");
}

}  // namespace mnist_test
}  // namespace ddx::data
