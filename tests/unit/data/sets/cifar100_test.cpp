#include "ddx/data/sets/cifar100.h"

#include "ddx/core/error.h"

#include "tests/support/temporary_folder.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace ddx::data {
namespace cifar100_test {

using ddx::testing::message_of;
using ddx::testing::TemporaryFolder;

using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t record = 3074;

/// Records with these coarse and fine labels; red planes of 1, green of 2, blue of 3.
Bytes records(const std::vector<std::pair<std::uint8_t, std::uint8_t>>& labels) {
  Bytes bytes;
  for (const auto& [coarse, fine] : labels) {
    bytes.insert(bytes.end(), {coarse, fine});
    for (std::uint8_t channel = 1; channel <= 3; ++channel) {
      bytes.insert(bytes.end(), 1024, channel);
    }
  }
  return bytes;
}

TEST(Cifar100, GivesFineOrCoarseLabels) {
  const TemporaryFolder folder;
  (void)folder.write("train.bin", records({{19, 99}, {0, 7}}));
  (void)folder.write("test.bin", records({{3, 42}}));
  const auto fine = read_cifar100(folder.path());
  EXPECT_EQ(fine.training.labels, (Bytes{99, 7}));
  EXPECT_EQ(fine.test.labels, (Bytes{42}));
  EXPECT_EQ(read_cifar100(folder.path(), Cifar100Label::Coarse).training.labels, (Bytes{19, 0}));
  ASSERT_EQ(fine.training.pixels.size(), 2U * 3072);
  EXPECT_EQ(Bytes(fine.training.pixels.begin() + 3069, fine.training.pixels.begin() + 3075),
            (Bytes{1, 2, 3, 1, 2, 3}));
}

TEST(Cifar100, DamagedFilesAreReportedWithTheOffset) {
  const TemporaryFolder folder;
  (void)folder.write("test.bin", records({{3, 42}}));
  const auto error = [&](const Bytes& bytes) {
    const auto file = folder.write("train.bin", bytes);
    const auto message = message_of<EnvironmentError>([&] { (void)read_cifar100(folder.path()); });
    const std::string start = "read_cifar100: " + file.string() + ", byte ";
    return message.starts_with(start) ? message.substr(start.size()) : message;
  };
  EXPECT_EQ(error({}), "0: the file is empty");
  EXPECT_EQ(error(records({{1, 2}, {20, 2}})), "3074: label is 20, at most 19 is expected");
  EXPECT_EQ(error(records({{1, 100}})), "1: label is 100, at most 99 is expected");
  auto bytes = records({{1, 2}, {3, 4}});
  bytes.resize(record + 5);
  EXPECT_EQ(error(bytes), "3079: the file ends inside record 1 (records are 3074 bytes)");
}

}  // namespace cifar100_test
}  // namespace ddx::data
