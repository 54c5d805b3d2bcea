#include "backend/cpu_jit/object_cache.h"

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

namespace ddx::backend::cpu_jit {
namespace {

using ddx::testing::TemporaryFolder;

ObjectCode object_of(std::size_t bytes, int seed) {
  ObjectCode object(bytes);
  for (std::size_t i = 0; i < bytes; ++i) {
    object[i] = static_cast<std::byte>(i * 31 + static_cast<std::size_t>(seed));
  }
  return object;
}

constexpr std::uint64_t plenty = 1U << 20;

/// The files of a folder that have this ending.
std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    files.push_back(entry.path());
  }
  return files;
}

TEST(ObjectCache, KeepsWhatIsStored) {
  const TemporaryFolder folder;
  const auto below = folder.path() / "a" / "b";
  const ObjectCache cache(below, plenty);
  EXPECT_FALSE(cache.find("key"));
  EXPECT_TRUE(cache.store("key", object_of(1000, 1)));
  EXPECT_TRUE(cache.store("other key", object_of(10, 2)));
  EXPECT_EQ(cache.find("key"), object_of(1000, 1));
  EXPECT_EQ(cache.find("other key"), object_of(10, 2));
  EXPECT_FALSE(cache.find("kex"));
  EXPECT_TRUE(cache.store("key", object_of(7, 3)));
  EXPECT_EQ(ObjectCache(below, plenty).find("key"), object_of(7, 3));
  EXPECT_EQ(files_in(below).size(), 2U);
}

TEST(ObjectCache, WithoutAFolderNothingIsKept) {
  const ObjectCache cache;
  EXPECT_FALSE(cache.store("key", object_of(10, 1)));
  EXPECT_FALSE(cache.find("key"));
}

// Each byte of the file, changed or the last one that there is: never another object.
TEST(ObjectCache, ADamagedFileIsAbsent) {
  const TemporaryFolder folder;
  const ObjectCache cache(folder.path(), plenty);
  ASSERT_TRUE(cache.store("key", object_of(50, 1)));
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
  EXPECT_EQ(cache.find("key"), object_of(50, 1));
}

TEST(ObjectCache, AFileOfAnotherKeyIsAbsent) {
  const TemporaryFolder folder;
  const ObjectCache cache(folder.path(), plenty);
  ASSERT_TRUE(cache.store("key", object_of(50, 1)));
  const auto of_key = files_in(folder.path()).at(0);
  ASSERT_TRUE(cache.store("kez", object_of(50, 2)));
  for (const auto& file : files_in(folder.path())) {
    if (file != of_key) {
      std::filesystem::copy_file(of_key, file, std::filesystem::copy_options::overwrite_existing);
    }
  }
  EXPECT_TRUE(cache.find("key"));
  EXPECT_FALSE(cache.find("kez")) << "as if both had one hash";
}

TEST(ObjectCache, WhatWasNotUsedForLongestGoes) {
  const TemporaryFolder folder;
  const ObjectCache cache(folder.path(), 3500);
  const auto date = [&](int minutes) {  // Makes all files older.
    for (const auto& file : files_in(folder.path())) {
      std::filesystem::last_write_time(
          file, std::filesystem::last_write_time(file) - std::chrono::minutes(minutes));
    }
  };
  ASSERT_TRUE(cache.store("a", object_of(1000, 1)));
  date(1);
  ASSERT_TRUE(cache.store("b", object_of(1000, 2)));
  date(1);
  ASSERT_TRUE(cache.store("c", object_of(1000, 3)));
  date(1);
  ASSERT_TRUE(cache.find("a"));  // Has been used.
  ASSERT_TRUE(cache.store("d", object_of(1000, 4)));
  EXPECT_TRUE(cache.find("a"));
  EXPECT_FALSE(cache.find("b"));
  EXPECT_TRUE(cache.find("c"));
  EXPECT_TRUE(cache.find("d"));
}

TEST(ObjectCache, WhatWasAbandonedGoes) {
  const TemporaryFolder folder;
  const ObjectCache cache(folder.path(), plenty);
  const auto old = folder.write("half.abcdef", {});
  (void)folder.write("half.ghijkl", {});
  (void)folder.write("of somebody else", {});
  std::filesystem::last_write_time(old,
                                   std::filesystem::last_write_time(old) - std::chrono::hours(2));
  ASSERT_TRUE(cache.store("a", object_of(10, 1)));
  EXPECT_EQ(files_in(folder.path()).size(), 3U);
  EXPECT_FALSE(std::filesystem::exists(old));
}

// Nobody else may put code into this process.
TEST(ObjectCache, AFolderThatOthersMayWriteToIsNotUsed) {
  const TemporaryFolder folder;
  const ObjectCache cache(folder.path(), plenty);
  ASSERT_TRUE(cache.store("key", object_of(10, 1)));
  ASSERT_EQ(::chmod(folder.path().c_str(), 0777), 0);
  EXPECT_FALSE(cache.find("key"));
  EXPECT_FALSE(cache.store("other", object_of(10, 1)));
  ASSERT_EQ(::chmod(folder.path().c_str(), 0700), 0);
  EXPECT_TRUE(cache.find("key"));
  ASSERT_EQ(::chmod(files_in(folder.path()).at(0).c_str(), 0666), 0);
  EXPECT_FALSE(cache.find("key"));
}

TEST(ObjectCache, AFolderThatCannotBeMadeIsNone) {
  const TemporaryFolder folder;
  const auto file = folder.write("file", {});
  const ObjectCache cache(file / "below", plenty);
  EXPECT_FALSE(cache.store("key", object_of(10, 1)));
  EXPECT_FALSE(cache.find("key"));
}

// In a process of its own, where no file may be longer than this: writing fails as on a full disk.
TEST(ObjectCache, AFullDiskLeavesNothingHalf) {
  const TemporaryFolder folder;
  const ObjectCache cache(folder.path(), plenty);
  ASSERT_TRUE(cache.store("small", object_of(100, 1)));
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{4096, 4096};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const bool is_kept = cache.store("large", object_of(100000, 2));
    ::_exit(is_kept || cache.find("large") ? 1 : 0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_FALSE(cache.find("large"));
  EXPECT_EQ(cache.find("small"), object_of(100, 1));
  EXPECT_EQ(files_in(folder.path()).size(), 1U);
}

TEST(ObjectCache, AProcessThatIsKilledLeavesWholeFiles) {
  const TemporaryFolder folder;
  const ObjectCache cache(folder.path(), 64 * plenty);
  for (int round = 0; round < 20; ++round) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      for (int i = 0;; i = (i + 1) % 8) {
        (void)cache.store("key " + std::to_string(i), object_of(20000, i));
      }
    }
    std::this_thread::sleep_for(std::chrono::microseconds(700 * round + 300));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    for (int i = 0; i < 8; ++i) {
      if (const auto found = cache.find("key " + std::to_string(i))) {
        EXPECT_EQ(*found, object_of(20000, i));
      }
    }
  }
}

TEST(ObjectCache, SeveralMayUseItAtOneTime) {
  const TemporaryFolder folder;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      const ObjectCache cache(folder.path(), 30000);  // Some are removed meanwhile.
      for (int i = 0; i < 60; ++i) {
        const std::string key = "key " + std::to_string(i % 12);
        EXPECT_TRUE(cache.store(key, object_of(5000, i % 12)));
        if (const auto found = cache.find(key)) {
          EXPECT_EQ(*found, object_of(5000, i % 12));
        }
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
}

}  // namespace
}  // namespace ddx::backend::cpu_jit
