#include "io/detail/temporary_file.h"

#include "ddx/io/atomic_file.h"

#include "tests/support/temporary_folder.h"

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <fcntl.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace ddx::io::detail {
namespace temporary_file_test {

using ddx::testing::TemporaryFolder;

bool has(const TemporaryFolder& folder, const std::string& name) {
  return std::filesystem::exists(folder.path() / name);
}

TEST(TemporaryFile, IsRemovedUnlessItIsRenamed) {
  const TemporaryFolder folder;
  {
    const TemporaryFile file(folder.path(), 0600);
  }
  EXPECT_EQ(folder.entry_count(), 0);
  {
    TemporaryFile file(folder.path(), 0600);
    EXPECT_TRUE(file.rename_to(folder.path() / "a"));
  }
  EXPECT_TRUE(has(folder, "a"));
  EXPECT_EQ(folder.entry_count(), 1);
}

TEST(TemporaryFile, SeveralAtATimeHaveTheirOwnNames) {
  const TemporaryFolder folder;
  const TemporaryFile first(folder.path(), 0600);
  const TemporaryFile second(folder.path(), 0600);
  EXPECT_TRUE(has(folder, ".ddx-save-0"));
  EXPECT_TRUE(has(folder, ".ddx-save-1"));
}

TEST(TemporaryFile, AFolderThatCannotBeWrittenIsTold) {
  const TemporaryFolder folder;
  const TemporaryFile file(folder.path() / "absent", 0600);
  EXPECT_EQ(errno, ENOENT);
  EXPECT_LT(file.descriptor(), 0);
}

// The files of processes that were killed, at any place; another user's or a locked one stays, and
// so does what has another name.
TEST(TemporaryFile, WhatKilledProcessesLeftIsRemovedByTheNextSave) {
  const TemporaryFolder folder;
  for (const char* name : {".ddx-save-0", ".ddx-save-1", ".ddx-save-2", ".ddx-save-3",
                           ".ddx-save-x", ".a.aB3dE6", "ddx-save-0"}) {
    (void)folder.write(name, std::vector<std::uint8_t>{1});
  }
  const auto locked = folder.path() / ".ddx-save-1";
  const int descriptor = ::open(locked.c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(::flock(descriptor, LOCK_EX), 0);
  io::write_file_atomically(folder.path() / "a", std::vector<std::uint8_t>{2}, "save");
  ::close(descriptor);
  EXPECT_TRUE(has(folder, ".ddx-save-1"));
  EXPECT_FALSE(has(folder, ".ddx-save-0"));
  EXPECT_FALSE(has(folder, ".ddx-save-2"));
  EXPECT_FALSE(has(folder, ".ddx-save-3"));
  EXPECT_TRUE(has(folder, ".ddx-save-x"));
  EXPECT_TRUE(has(folder, ".a.aB3dE6"));
  EXPECT_TRUE(has(folder, "ddx-save-0"));
  io::write_file_atomically(folder.path() / "a", std::vector<std::uint8_t>{3}, "save");
  EXPECT_FALSE(has(folder, ".ddx-save-1"));
}

TEST(TemporaryFile, OfAProcessIsLockedUntilItIsKilled) {
  const TemporaryFolder folder;
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const TemporaryFile file(folder.path(), 0600);
    (void)!::write(ready[1], "x", 1);
    ::pause();
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  const auto save = [&] {
    io::write_file_atomically(folder.path() / "a", std::vector<std::uint8_t>{2}, "save");
  };
  save();
  EXPECT_TRUE(has(folder, ".ddx-save-0")) << "the process writes still";
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  save();
  EXPECT_EQ(folder.entry_count(), 1);
}

}  // namespace temporary_file_test
}  // namespace ddx::io::detail
