#include "backend/pjrt/kept_executable.h"

#include "backend/pjrt/executable.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/backend/pjrt/fakes.h"
#include "tests/unit/backend/pjrt/xla_programs.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <gtest/gtest.h>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace ddx::backend::pjrt {
namespace kept_executable_test {

using ddx::testing::TemporaryFolder;

constexpr std::uint64_t plenty = 1U << 26;

MadeExecutable made(const std::string& program, const FileCache& files) {
  return make_executable(xla(), {.text = program}, {}, files);
}

/// Whether it doubles two numbers.
bool doubles(const Executable& executable) {
  const auto x = on_device(xla(), std::array{1.0F, 21.0F});
  const std::array arguments{&x};
  return floats_of(executable.run(arguments, xla()->device(0)).at(0)) == std::vector{2.0F, 42.0F};
}

std::filesystem::path only_file_in(const TemporaryFolder& folder) {
  return std::filesystem::directory_iterator(folder.path())->path();
}

TEST(PjrtKeptExecutable, IsCompiledOnce) {
  const TemporaryFolder folder;
  const FileCache files = kept_executables(folder.path(), plenty);
  const auto first = made(doubling(2), files);
  EXPECT_FALSE(first.is_loaded);
  EXPECT_TRUE(first.is_stored);
  const auto second = made(doubling(2), files);
  EXPECT_TRUE(second.is_loaded);
  EXPECT_FALSE(second.is_stored);
  EXPECT_TRUE(doubles(second.executable));
  EXPECT_FALSE(made(doubling(3), files).is_loaded);
  EXPECT_EQ(folder.entry_count(), 2);
}

TEST(PjrtKeptExecutable, WithoutAFolderNothingIsKept) {
  const auto executable = made(doubling(2), FileCache());
  EXPECT_FALSE(executable.is_loaded || executable.is_stored);
}

TEST(PjrtKeptExecutable, TheKeyHasAllThatMatters) {
  const CompileOptions options;
  const std::string key = key_of(*xla(), {.text = "program"}, options);
  EXPECT_NE(key.find(xla()->plugin()->identity()), std::string::npos);
  EXPECT_TRUE(key.ends_with(encoded(options) + "7\nprogram"));
  EXPECT_NE(key.find(xla()->device(3).text + ": cpu\n"), std::string::npos);
  EXPECT_NE(key, key_of(*xla(), {.text = "program"}, {.flags = {{"xla_fast", true}}}));
  EXPECT_NE(key, key_of(*fake_client(), {.text = "program"}, options));
}

// A changed byte here and there, and a file that ends early: the program is compiled again.
TEST(PjrtKeptExecutable, ADamagedFileIsAbsent) {
  const TemporaryFolder folder;
  const FileCache files = kept_executables(folder.path(), plenty);
  ASSERT_TRUE(made(doubling(2), files).is_stored);
  const auto file = only_file_in(folder);
  const auto whole = ddx::testing::bytes_of(file);
  const std::size_t step = whole.size() / 24 + 1;
  for (std::size_t i = 0; i < whole.size(); i += i < 32 ? 4 : step) {
    auto changed = whole;
    changed[i] ^= 0x10U;
    (void)folder.write(file.filename(), changed);
    const auto executable = made(doubling(2), files);
    EXPECT_FALSE(executable.is_loaded) << "byte " << i << " changed";
    EXPECT_TRUE(doubles(executable.executable));
    (void)folder.write(file.filename(), std::span(whole).first(i));
    EXPECT_FALSE(made(doubling(2), files).is_loaded) << "cut off at " << i;
  }
  (void)folder.write(file.filename(), whole);
  EXPECT_TRUE(made(doubling(2), files).is_loaded);
}

// As if another plugin had the same key, or the same plugin another form.
TEST(PjrtKeptExecutable, WhatThePluginRefusesIsAbsent) {
  const TemporaryFolder folder;
  const FileCache files = kept_executables(folder.path(), plenty);
  const std::string key = key_of(*xla(), {.text = doubling(2)}, {});
  const std::string rubbish = "no executable";
  ASSERT_TRUE(files.store(key, std::as_bytes(std::span(rubbish))));
  const auto executable = made(doubling(2), files);
  EXPECT_FALSE(executable.is_loaded);
  EXPECT_TRUE(executable.is_stored);
  EXPECT_TRUE(doubles(executable.executable));
  EXPECT_TRUE(made(doubling(2), files).is_loaded);
}

TEST(PjrtKeptExecutable, AFileOfAnotherProgramIsAbsent) {
  const TemporaryFolder folder;
  const FileCache files = kept_executables(folder.path(), plenty);
  ASSERT_TRUE(made(doubling(2), files).is_stored);
  const auto file = only_file_in(folder);
  const auto bytes = ddx::testing::bytes_of(file);
  std::filesystem::remove(file);
  ASSERT_TRUE(made(doubling(3), files).is_stored);
  (void)folder.write(only_file_in(folder).filename(), bytes);
  EXPECT_FALSE(made(doubling(3), files).is_loaded);
}

TEST(PjrtKeptExecutable, APluginThatCannotWriteItsProgramsCompilesThem) {
  const TemporaryFolder folder;
  const FileCache files = kept_executables(folder.path(), plenty);
  const auto executable = make_executable(fake_client("NoExtras"), {.text = "text"}, {}, files);
  EXPECT_FALSE(executable.is_loaded || executable.is_stored);
  EXPECT_EQ(folder.entry_count(), 0);
}

// Room for some of them: files come and go under the hands of the others.
TEST(PjrtKeptExecutable, SeveralMayUseAFolderAtOneTime) {
  const TemporaryFolder folder;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      const FileCache files = kept_executables(folder.path(), 25'000);
      for (int i = 0; i < 12; ++i) {
        // The same program in another text.
        const std::string program =
            doubling(2) + std::string(static_cast<std::size_t>(i % 4), '\n');
        EXPECT_TRUE(doubles(made(program, files).executable));
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
}

}  // namespace kept_executable_test
}  // namespace ddx::backend::pjrt
