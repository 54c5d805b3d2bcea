#include "ddx/io/folder.h"

#include "ddx/core/error.h"

#include "tests/support/temporary_folder.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>

namespace ddx::io {
namespace folder_test {

using ddx::testing::message_of;
using ddx::testing::TemporaryFolder;

std::string folder_error(const std::filesystem::path& folder) {
  return message_of<EnvironmentError>([&] { prepare_folder(folder, "output"); });
}

TEST(Folder, IsMadeWithThoseAboveAndLeftEmpty) {
  const TemporaryFolder folder;
  const auto deep = folder.path() / "a" / "b";
  prepare_folder(deep, "output");
  EXPECT_TRUE(std::filesystem::is_empty(deep));
}

TEST(Folder, KeepsWhatItHolds) {
  const TemporaryFolder folder;
  const auto file = folder.write("kept", std::array<std::uint8_t, 2>{1, 2});
  prepare_folder(folder.path(), "output");
  EXPECT_EQ(std::filesystem::file_size(file), 2U);
  EXPECT_EQ(folder.entry_count(), 1);
}

TEST(Folder, AFileInItsPlaceOrAboveItIsAnError) {
  const TemporaryFolder folder;
  const auto file = folder.write("file", std::array<std::uint8_t, 1>{1});
  EXPECT_EQ(folder_error(file),
            "output: cannot make folder " + file.string() + ": Not a directory");
  const auto below = file / "folder";
  EXPECT_EQ(folder_error(below),
            "output: cannot make folder " + below.string() + ": Not a directory");
}

// Folders of /proc can be entered, but not written, by every user.
TEST(Folder, OneThatCannotBeWrittenToIsAnError) {
  const std::string message = folder_error("/proc/self");
  EXPECT_EQ(message.rfind("output: cannot write to folder /proc/self: ", 0), 0U) << message;
}

}  // namespace folder_test
}  // namespace ddx::io
