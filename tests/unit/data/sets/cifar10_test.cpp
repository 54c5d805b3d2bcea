#include "ddx/data/sets/cifar10.h"

#include "ddx/core/error.h"

#include "tests/support/temporary_folder.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::data {
namespace cifar10_test {

using ddx::testing::message_of;
using ddx::testing::TemporaryFolder;

using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t record = 3073;

/// Records with these labels; red planes of 1, green of 2, blue of 3, plus ten times the label.
Bytes records(const Bytes& labels) {
  Bytes bytes;
  for (const auto label : labels) {
    bytes.push_back(label);
    for (int channel = 1; channel <= 3; ++channel) {
      bytes.insert(bytes.end(), 1024, static_cast<std::uint8_t>(10 * label + channel));
    }
  }
  return bytes;
}

TEST(Cifar10, PlanesBecomeChannels) {
  const TemporaryFolder folder;
  const auto images = read_cifar10_file(folder.write("a.bin", records({4, 9})));
  EXPECT_EQ(images.labels, (Bytes{4, 9}));
  EXPECT_EQ(images.height, 32);
  EXPECT_EQ(images.channels, 3);
  ASSERT_EQ(images.pixels.size(), 2U * 3072);
  EXPECT_EQ(Bytes(images.pixels.begin(), images.pixels.begin() + 6),
            (Bytes{41, 42, 43, 41, 42, 43}));
  EXPECT_EQ(Bytes(images.pixels.end() - 3, images.pixels.end()), (Bytes{91, 92, 93}));
}

TEST(Cifar10, TheTrainingFilesAreJoinedInOrder) {
  const TemporaryFolder folder;
  (void)folder.write("data_batch_1.bin", records({1}));
  (void)folder.write("data_batch_2.bin", records({2, 3}));
  (void)folder.write("test_batch.bin", records({5}));
  const auto sets = read_cifar10(folder.path());
  EXPECT_EQ(sets.training.labels, (Bytes{1, 2, 3}));
  EXPECT_EQ(sets.training.pixels.size(), 3U * 3072);
  EXPECT_EQ(sets.test.labels, (Bytes{5}));
}

TEST(Cifar10, DamagedFilesAreReportedWithTheOffset) {
  const TemporaryFolder folder;
  const auto error = [&](const Bytes& bytes) {
    const auto file = folder.write("a.bin", bytes);
    auto message = message_of<EnvironmentError>([&] { (void)read_cifar10_file(file); });
    const std::string start = "read_cifar10: " + file.string();
    return message.starts_with(start) ? message.substr(start.size()) : message;
  };
  EXPECT_EQ(error({}), ", byte 0: the file is empty");
  EXPECT_EQ(error(records({3, 10})), ", byte 3073: label is 10, at most 9 is expected");
  auto bytes = records({3, 4});
  for (const std::size_t length : {std::size_t{1}, record - 1, record + 1, 2 * record - 1}) {
    bytes.resize(2 * record);
    bytes.resize(length);
    EXPECT_EQ(error(bytes), ", byte " + std::to_string(length) + ": the file ends inside record " +
                                std::to_string(length / record) + " (records are 3073 bytes)");
  }
}

TEST(Cifar10, AFolderThatTheSystemRefusesToLookAtIsNamed) {
  const std::filesystem::path folder = std::string(300, 'n');
  EXPECT_EQ(message_of<EnvironmentError>([&] { (void)read_cifar10(folder); }),
            "read_cifar10: cannot read " + (folder / "data_batch_1.bin").string() +
                ": File name too long");
}

}  // namespace cifar10_test
}  // namespace ddx::data
