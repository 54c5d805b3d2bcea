#include "backend/file_cache.h"

#include "tests/support/temporary_folder.h"

#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace ddx::backend {
namespace file_cache_test {

using ddx::testing::TemporaryFolder;

using Content = std::vector<std::byte>;

Content content_of(std::size_t bytes, int seed) {
  Content content(bytes);
  for (std::size_t i = 0; i < bytes; ++i) {
    content[i] = static_cast<std::byte>(i * 31 + static_cast<std::size_t>(seed));
  }
  return content;
}

constexpr std::uint64_t plenty = 1U << 20;
constexpr FileKind kind{".kept", 12345};

/// The files of a folder that have this ending.
std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    files.push_back(entry.path());
  }
  return files;
}

TEST(FileCache, KeepsWhatIsStored) {
  const TemporaryFolder folder;
  const auto below = folder.path() / "a" / "b";
  const FileCache cache(below, plenty, kind);
  EXPECT_FALSE(cache.find("key"));
  EXPECT_TRUE(cache.store("key", content_of(1000, 1)));
  EXPECT_TRUE(cache.store("other key", content_of(10, 2)));
  EXPECT_EQ(cache.find("key"), content_of(1000, 1));
  EXPECT_EQ(cache.find("other key"), content_of(10, 2));
  EXPECT_FALSE(cache.find("kex"));
  EXPECT_TRUE(cache.store("key", content_of(7, 3)));
  EXPECT_EQ(FileCache(below, plenty, kind).find("key"), content_of(7, 3));
  EXPECT_EQ(files_in(below).size(), 2U);
}

TEST(FileCache, WithoutAFolderNothingIsKept) {
  const FileCache cache;
  EXPECT_FALSE(cache.store("key", content_of(10, 1)));
  EXPECT_FALSE(cache.find("key"));
}

// Each byte of the file, changed or the last one that there is: never another content.
TEST(FileCache, ADamagedFileIsAbsent) {
  const TemporaryFolder folder;
  const FileCache cache(folder.path(), plenty, kind);
  ASSERT_TRUE(cache.store("key", content_of(50, 1)));
  const auto file = files_in(folder.path()).at(0);
  const auto whole = ddx::testing::bytes_of(file);
  ASSERT_TRUE(cache.find("key"));
  for (std::size_t i = 0; i < whole.size(); ++i) {
    auto changed = whole;
    changed[i] ^= 4U;
    (void)folder.write(file.filename(), changed);
    EXPECT_FALSE(cache.find("key")) << "byte " << i << " changed";
    (void)folder.write(file.filename(), std::span(whole).first(i));
    EXPECT_FALSE(cache.find("key")) << "cut off at " << i;
  }
  auto longer = whole;
  longer.push_back(0);
  (void)folder.write(file.filename(), longer);
  EXPECT_FALSE(cache.find("key"));
  (void)folder.write(file.filename(), whole);
  EXPECT_EQ(cache.find("key"), content_of(50, 1));
}

TEST(FileCache, AFileOfAnotherKeyIsAbsent) {
  const TemporaryFolder folder;
  const FileCache cache(folder.path(), plenty, kind);
  ASSERT_TRUE(cache.store("key", content_of(50, 1)));
  const auto of_key = files_in(folder.path()).at(0);
  ASSERT_TRUE(cache.store("kez", content_of(50, 2)));
  for (const auto& file : files_in(folder.path())) {
    if (file != of_key) {
      std::filesystem::copy_file(of_key, file, std::filesystem::copy_options::overwrite_existing);
    }
  }
  EXPECT_TRUE(cache.find("key"));
  EXPECT_FALSE(cache.find("kez")) << "as if both had one hash";
}

TEST(FileCache, KindsKeepApartInOneFolder) {
  const TemporaryFolder folder;
  const FileCache cache(folder.path(), plenty, kind);
  const FileCache of_other_ending(folder.path(), 1500, {".other", 12345});
  const FileCache of_other_magic(folder.path(), plenty, {".kept", 12346});
  ASSERT_TRUE(cache.store("key", content_of(1000, 1)));
  EXPECT_FALSE(of_other_ending.find("key"));
  EXPECT_FALSE(of_other_magic.find("key"));
  ASSERT_TRUE(of_other_ending.store("key", content_of(1000, 2)));
  ASSERT_TRUE(of_other_ending.store("kez", content_of(1000, 3)));
  EXPECT_EQ(cache.find("key"), content_of(1000, 1)) << "no room was to be made for others";
  EXPECT_FALSE(of_other_ending.find("key"));
}

TEST(FileCache, WhatWasNotUsedForLongestGoes) {
  const TemporaryFolder folder;
  const FileCache cache(folder.path(), 3500, kind);
  const auto date = [&](int minutes) {  // Makes all files older.
    for (const auto& file : files_in(folder.path())) {
      std::filesystem::last_write_time(
          file, std::filesystem::last_write_time(file) - std::chrono::minutes(minutes));
    }
  };
  ASSERT_TRUE(cache.store("a", content_of(1000, 1)));
  date(1);
  ASSERT_TRUE(cache.store("b", content_of(1000, 2)));
  date(1);
  ASSERT_TRUE(cache.store("c", content_of(1000, 3)));
  date(1);
  ASSERT_TRUE(cache.find("a"));  // Has been used.
  ASSERT_TRUE(cache.store("d", content_of(1000, 4)));
  EXPECT_TRUE(cache.find("a"));
  EXPECT_FALSE(cache.find("b"));
  EXPECT_TRUE(cache.find("c"));
  EXPECT_TRUE(cache.find("d"));
}

TEST(FileCache, WhatWasAbandonedGoes) {
  const TemporaryFolder folder;
  const FileCache cache(folder.path(), plenty, kind);
  const auto old = folder.write("half.abcdef", {});
  (void)folder.write("half.ghijkl", {});
  (void)folder.write("of another program", {});
  std::filesystem::last_write_time(old,
                                   std::filesystem::last_write_time(old) - std::chrono::hours(2));
  ASSERT_TRUE(cache.store("a", content_of(10, 1)));
  EXPECT_EQ(files_in(folder.path()).size(), 3U);
  EXPECT_FALSE(std::filesystem::exists(old));
}

// No other user may put code into this process.
TEST(FileCache, AFolderThatOthersMayWriteToIsNotUsed) {
  const TemporaryFolder folder;
  const FileCache cache(folder.path(), plenty, kind);
  ASSERT_TRUE(cache.store("key", content_of(10, 1)));
  ASSERT_EQ(::chmod(folder.path().c_str(), 0777), 0);
  EXPECT_FALSE(cache.find("key"));
  EXPECT_FALSE(cache.store("other", content_of(10, 1)));
  ASSERT_EQ(::chmod(folder.path().c_str(), 0700), 0);
  EXPECT_TRUE(cache.find("key"));
  ASSERT_EQ(::chmod(files_in(folder.path()).at(0).c_str(), 0666), 0);
  EXPECT_FALSE(cache.find("key"));
}

TEST(FileCache, AFolderThatCannotBeMadeIsNone) {
  const TemporaryFolder folder;
  const auto file = folder.write("file", {});
  const FileCache cache(file / "below", plenty, kind);
  EXPECT_FALSE(cache.store("key", content_of(10, 1)));
  EXPECT_FALSE(cache.find("key"));
}

// In a process of its own, where no file may be longer than this: writing fails as on a full disk.
TEST(FileCache, AFullDiskLeavesNothingHalf) {
  const TemporaryFolder folder;
  const FileCache cache(folder.path(), plenty, kind);
  ASSERT_TRUE(cache.store("small", content_of(100, 1)));
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{4096, 4096};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const bool is_kept = cache.store("large", content_of(100000, 2));
    ::_exit(is_kept || cache.find("large") ? 1 : 0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_FALSE(cache.find("large"));
  EXPECT_EQ(cache.find("small"), content_of(100, 1));
  EXPECT_EQ(files_in(folder.path()).size(), 1U);
}

TEST(FileCache, AProcessThatIsKilledLeavesWholeFiles) {
  const TemporaryFolder folder;
  const FileCache cache(folder.path(), 64 * plenty, kind);
  for (int round = 0; round < 20; ++round) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      for (int i = 0;; i = (i + 1) % 8) {
        (void)cache.store("key " + std::to_string(i), content_of(20000, i));
      }
    }
    std::this_thread::sleep_for(std::chrono::microseconds(700 * round + 300));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    for (int i = 0; i < 8; ++i) {
      if (const auto found = cache.find("key " + std::to_string(i))) {
        EXPECT_EQ(*found, content_of(20000, i));
      }
    }
  }
}

TEST(FileCache, SeveralMayUseItAtOneTime) {
  const TemporaryFolder folder;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      const FileCache cache(folder.path(), 30000, kind);  // Some are removed meanwhile.
      for (int i = 0; i < 60; ++i) {
        const std::string key = "key " + std::to_string(i % 12);
        EXPECT_TRUE(cache.store(key, content_of(5000, i % 12)));
        if (const auto found = cache.find(key)) {
          EXPECT_EQ(*found, content_of(5000, i % 12));
        }
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
}

}  // namespace file_cache_test
}  // namespace ddx::backend
