#include "ddx/io/atomic_file.h"

#include "ddx/core/error.h"

#include "tests/support/temporary_folder.h"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace ddx::io {
namespace atomic_file_test {

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

unsigned mode_of(const std::filesystem::path& file) {
  return static_cast<unsigned>(std::filesystem::status(file).permissions());
}

TEST(AtomicFile, AFileThatIsReplacedKeepsItsMode) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a";
  for (const unsigned mode : {0600U, 0640U, 0444U, 0666U}) {
    write_file_atomically(file, Bytes{1}, "save");
    ASSERT_EQ(::chmod(file.c_str(), mode), 0);
    write_file_atomically(file, Bytes{2}, "save");
    EXPECT_EQ(mode_of(file), mode);
    EXPECT_EQ(bytes_of(file), (Bytes{2}));
  }
}

TEST(AtomicFile, AFileThatIsReplacedKeepsItsOwnerWhereTheSystemAllowsIt) {
  const TemporaryFolder folder;
  const auto file = folder.write("a", {});
  if (::chown(file.c_str(), 1234, 5678) != 0) {
    GTEST_SKIP() << "only root gives files away";
  }
  write_file_atomically(file, Bytes{2}, "save");
  struct stat status{};
  ASSERT_EQ(::stat(file.c_str(), &status), 0);
  EXPECT_EQ(status.st_uid, 1234U);
  EXPECT_EQ(status.st_gid, 5678U);
}

TEST(AtomicFile, ALinkStaysAndItsTargetIsReplacedOrMade) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "inner");
  const auto file = folder.path() / "inner" / "file";
  const auto link = folder.path() / "link";
  std::filesystem::create_symlink("inner/middle", link);
  std::filesystem::create_symlink("file", folder.path() / "inner" / "middle");
  for (const std::uint8_t byte : Bytes{1, 2}) {
    write_file_atomically(link, Bytes{byte}, "save");
    EXPECT_TRUE(std::filesystem::is_symlink(link));
    EXPECT_FALSE(std::filesystem::is_symlink(file));
    EXPECT_EQ(bytes_of(file), (Bytes{byte}));
  }
  EXPECT_EQ(folder.entry_count(), 2);
}

TEST(AtomicFile, ALinkThatLeadsNowhereIsAnError) {
  const TemporaryFolder folder;
  const auto link = folder.path() / "link";
  std::filesystem::create_symlink("link", link);
  EXPECT_EQ(write_error(link, {1}),
            "save: cannot write " + link.string() + ": Too many levels of symbolic links");
}

// As the system itself does for `open` where fs.protected_symlinks is set.
TEST(AtomicFile, ALinkOfAnotherUserInAFolderOfEverybodyIsRefused) {
  const TemporaryFolder folder;
  const auto link = folder.path() / "link";
  std::filesystem::create_symlink("file", link);
  ASSERT_EQ(::chmod(folder.path().c_str(), 01777), 0);
  write_file_atomically(link, Bytes{1}, "save");
  if (::lchown(link.c_str(), 1234, 1234) != 0) {
    GTEST_SKIP() << "only root gives files away";
  }
  EXPECT_EQ(write_error(link, {2}), "save: cannot write " + link.string() + ": Permission denied");
  EXPECT_EQ(bytes_of(folder.path() / "file"), (Bytes{1}));
}

TEST(AtomicFile, ADeviceIsNotReplaced) {
  EXPECT_EQ(write_error("/dev/null", {1}), "save: cannot write /dev/null: not a regular file");
}

TEST(AtomicFile, ANameThatIsTooLongIsAnErrorAndTheLongestIsNot) {
  const TemporaryFolder folder;
  const auto too_long = folder.path() / std::string(256, 'n');
  EXPECT_EQ(write_error(too_long, {1}),
            "save: cannot write " + too_long.string() + ": File name too long");
  EXPECT_EQ(write_error(folder.path() / std::string(255, 'n'), {1}), "(no exception)");
}

/// The umask of the process as the system reports it.
std::string told_umask() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("Umask:")) {
      return line;
    }
  }
  return "";
}

TEST(AtomicFile, TheUmaskIsNeverChanged) {
  const TemporaryFolder folder;
  const auto mask = ::umask(027);
  const auto expected = told_umask();
  std::atomic<bool> is_done = false;
  std::atomic<int> changes = 0;
  std::thread watcher([&] {
    while (!is_done) {
      changes += told_umask() == expected ? 0 : 1;
    }
  });
  std::vector<std::thread> writers;
  for (int k = 0; k < 8; ++k) {
    writers.emplace_back([&, k] {
      for (int i = 0; i < 100; ++i) {
        write_file_atomically(folder.path() / std::to_string(k), Bytes{1}, "save");
      }
    });
  }
  for (auto& writer : writers) {
    writer.join();
  }
  is_done = true;
  watcher.join();
  EXPECT_EQ(told_umask(), expected);
  ::umask(mask);
  EXPECT_EQ(changes, 0);
  EXPECT_EQ(mode_of(folder.path() / "0"), 0640U);
  EXPECT_EQ(folder.entry_count(), 8);
}

}  // namespace atomic_file_test
}  // namespace ddx::io
