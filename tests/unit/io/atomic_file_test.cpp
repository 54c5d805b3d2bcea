#include "ddx/io/atomic_file.h"

#include "ddx/core/error.h"

#include "tests/support/temporary_folder.h"

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <vector>

namespace ddx::io {
namespace {

using ddx::testing::bytes_of;
using ddx::testing::message_of;
using ddx::testing::TemporaryFolder;

using Bytes = std::vector<std::uint8_t>;

std::string write_error(const std::filesystem::path& file, const Bytes& bytes) {
  return message_of<EnvironmentError>([&] { write_file_atomically(file, bytes, "save"); });
}

TEST(AtomicFile, MakesAndReplacesAFileAndLeavesNothingElse) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a";
  write_file_atomically(file, Bytes{1, 2, 3}, "save");
  EXPECT_EQ(bytes_of(file), (Bytes{1, 2, 3}));
  write_file_atomically(file, Bytes{4}, "save");
  EXPECT_EQ(bytes_of(file), (Bytes{4}));
  EXPECT_EQ(folder.entry_count(), 1);
}

TEST(AtomicFile, TheResultHasTheUsualPermissions) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a";
  const auto mask = ::umask(022);
  write_file_atomically(file, Bytes{1}, "save");
  ::umask(mask);
  EXPECT_EQ(static_cast<unsigned>(std::filesystem::status(file).permissions()), 0644U);
}

TEST(AtomicFile, AnAbsentFolderOrADirectoryInPlaceIsAnError) {
  const TemporaryFolder folder;
  const auto inside = folder.path() / "absent" / "a";
  EXPECT_EQ(write_error(inside, {1}),
            "save: cannot write " + inside.string() + ": No such file or directory");
  EXPECT_EQ(write_error(folder.path(), {1}),
            "save: cannot write " + folder.path().string() + ": Is a directory");
  EXPECT_EQ(folder.entry_count(), 0);
}

// A limit on the size of files stands in for a full disk: both make write() fail half-way.
TEST(AtomicFile, AWriteThatFailsHalfWayKeepsTheOldContent) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a";
  write_file_atomically(file, Bytes{1, 2, 3}, "save");
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit tight{.rlim_cur = 4096, .rlim_max = before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &tight), 0);
  const auto error = write_error(file, Bytes(10000, 9));
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, old_handler);
  EXPECT_EQ(error, "save: cannot write " + file.string() + ": File too large");
  EXPECT_EQ(bytes_of(file), (Bytes{1, 2, 3}));
  EXPECT_EQ(folder.entry_count(), 1);
}

}  // namespace
}  // namespace ddx::io
