#include "ddx/data/sets/fashion_mnist.h"

#include "ddx/core/error.h"

#include "tests/support/idx_files.h"
#include "tests/support/temporary_folder.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace ddx::data {
namespace fashion_mnist_test {

using ddx::testing::message_of;
using ddx::testing::TemporaryFolder;

TEST(FashionMnist, ReadsTheFilesOfItsForm) {
  const TemporaryFolder folder;
  ddx::testing::write_small_mnist(folder);
  const auto sets = read_fashion_mnist(folder.path());
  EXPECT_EQ(sets.training.labels, (std::vector<std::uint8_t>{7, 9}));
  EXPECT_EQ(sets.test.pixels, (std::vector<std::uint8_t>{11, 22}));
  EXPECT_EQ(fashion_mnist_classes.front(), "T-shirt/top");
  EXPECT_EQ(fashion_mnist_classes.back(), "Ankle boot");
}

TEST(FashionMnist, ItsErrorsBearItsName) {
  const TemporaryFolder folder;
  ddx::testing::write_small_mnist(folder);
  const auto file = folder.write("train-labels-idx1-ubyte", ddx::testing::idx_labels({7, 10}));
  EXPECT_EQ(
      message_of<EnvironmentError>([&] { (void)read_fashion_mnist(folder.path()); }),
      "read_fashion_mnist: " + file.string() + ", byte 9: label is 10, at most 9 is expected");
}

}  // namespace fashion_mnist_test
}  // namespace ddx::data
