#include "ddx/core/mapped_file.h"

#include "ddx/core/error.h"

#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <span>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace ddx {
namespace mapped_file_test {

using testing::message_of;
using testing::TemporaryFolder;

using Bytes = std::vector<std::uint8_t>;

Bytes copy(std::span<const std::uint8_t> bytes) {
  return {bytes.begin(), bytes.end()};
}

/// How many pages of a mapping, which begins with a page, the process holds in memory.
std::size_t pages_in_memory(std::span<const std::uint8_t> bytes) {
  std::ifstream statistics("/proc/self/smaps");
  std::string line;
  const auto begin = reinterpret_cast<std::uintptr_t>(bytes.data());
  bool is_inside = false;
  while (std::getline(statistics, line)) {
    if (line.find('-') != std::string::npos && line.find(' ') > line.find('-')) {
      is_inside = std::stoull(line, nullptr, 16) == begin;
    } else if (is_inside && line.starts_with("Rss:")) {
      return std::stoull(line.substr(4)) * 1024 / static_cast<std::size_t>(getpagesize());
    }
  }
  return 0;
}

TEST(MappedFile, HasTheBytesOfTheFile) {
  const TemporaryFolder folder;
  const auto path = folder.write("a", Bytes{1, 2, 3, 4});
  const MappedFile file(path, "load");
  EXPECT_EQ(copy(file.bytes()), (Bytes{1, 2, 3, 4}));
  EXPECT_EQ(copy(MappedFile(InputFile(path, "load")).bytes()), (Bytes{1, 2, 3, 4}));
}

TEST(MappedFile, OfNoBytesIsEmpty) {
  const TemporaryFolder folder;
  const MappedFile file(folder.write("a", Bytes{}), "load");
  EXPECT_TRUE(file.bytes().empty());
  file.drop(file.bytes());
}

TEST(MappedFile, KeepsTheContentOfAFileThatIsRemoved) {
  const TemporaryFolder folder;
  const auto path = folder.write("a", Bytes{1, 2});
  const MappedFile file(path, "load");
  std::filesystem::remove(path);
  EXPECT_EQ(copy(file.bytes()), (Bytes{1, 2}));
}

TEST(MappedFile, IsMoved) {
  const TemporaryFolder folder;
  MappedFile file(folder.write("a", Bytes{1, 2}), "load");
  const auto* const begin = file.bytes().data();
  MappedFile other(std::move(file));
  EXPECT_EQ(other.bytes().data(), begin);
  MappedFile third(folder.write("b", Bytes{3}), "load");
  third = std::move(other);
  EXPECT_EQ(copy(third.bytes()), (Bytes{1, 2}));
}

// A part that is dropped takes no memory, and is read again.
TEST(MappedFile, DropsThePagesThatLieInAPart) {
  const TemporaryFolder folder;
  const auto page = static_cast<std::size_t>(getpagesize());
  Bytes content(4 * page + 10);
  for (std::size_t i = 0; i < content.size(); ++i) {
    content[i] = static_cast<std::uint8_t>(i / 7);
  }
  const MappedFile file(folder.write("a", content), "load");
  ASSERT_EQ(copy(file.bytes()), content);
  ASSERT_EQ(pages_in_memory(file.bytes()), 5U);
  file.drop(file.bytes().subspan(1, page - 1));
  EXPECT_EQ(pages_in_memory(file.bytes()), 5U);  // Not the byte before it.
  file.drop(file.bytes().subspan(1, 2 * page));
  EXPECT_EQ(pages_in_memory(file.bytes()), 4U);
  file.drop(file.bytes().subspan(page));
  EXPECT_EQ(pages_in_memory(file.bytes()), 1U);
  EXPECT_EQ(copy(file.bytes()), content);
}

TEST(MappedFile, ThatCannotBeReadIsAnError) {
  const TemporaryFolder folder;
  const auto path = folder.path();
  EXPECT_EQ(message_of<EnvironmentError>([&] { (void)MappedFile(path / "a", "load"); }),
            "load: cannot read " + (path / "a").string() + ": no such file");
  EXPECT_EQ(message_of<EnvironmentError>([&] { (void)MappedFile(path, "load"); }),
            "load: cannot read " + path.string() + ": not a regular file");
}

}  // namespace mapped_file_test
}  // namespace ddx
