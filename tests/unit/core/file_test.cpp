#include "ddx/core/file.h"

#include "ddx/core/error.h"

#include "tests/support/temporary_folder.h"

#include <cstdint>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <system_error>
#include <vector>

namespace ddx {
namespace file_test {

using testing::message_of;
using testing::TemporaryFolder;

using Bytes = std::vector<std::uint8_t>;

std::string read_error(const std::filesystem::path& file, std::uint64_t limit = 100) {
  return message_of<EnvironmentError>([&] { (void)read_file(file, "load", limit); });
}

TEST(File, ComesAsItsBytes) {
  const TemporaryFolder folder;
  const Bytes bytes{0, 10, 13, 26, 255};
  EXPECT_EQ(read_file(folder.write("a", bytes), "load"), bytes);
  EXPECT_EQ(read_file(folder.write("empty", {}), "load"), Bytes{});
}

TEST(File, MayBeAsLongAsTheLimitAndNoLonger) {
  const TemporaryFolder folder;
  const auto file = folder.write("a", Bytes{1, 2, 3});
  EXPECT_EQ(read_file(file, "load", 3), (Bytes{1, 2, 3}));
  EXPECT_EQ(read_error(file, 2),
            "load: cannot read " + file.string() + ": 3 bytes, at most 2 are accepted");
}

TEST(File, ThatIsAbsentOrNotRegularIsAnError) {
  const TemporaryFolder folder;
  const auto absent = folder.path() / "absent";
  EXPECT_EQ(read_error(absent), "load: cannot read " + absent.string() + ": no such file");
  EXPECT_EQ(read_error(folder.path()),
            "load: cannot read " + folder.path().string() + ": not a regular file");
  EXPECT_EQ(read_error("/dev/null"), "load: cannot read /dev/null: not a regular file");
}

// Files of this kind tell a size that they do not have.
TEST(File, ThatEndsBeforeItsSizeIsAnError) {
  const std::filesystem::path file = "/sys/kernel/mm/transparent_hugepage/enabled";
  if (!std::filesystem::exists(file)) {
    GTEST_SKIP() << "no " << file;
  }
  const std::string message = read_error(file, 1 << 20);
  EXPECT_NE(message.find(": ends at byte "), std::string::npos) << message;
}

TEST(File, ExistsOrNotOrTheSystemRefusesToLook) {
  const TemporaryFolder folder;
  EXPECT_TRUE(file_exists(folder.write("a", {}), "load"));
  EXPECT_TRUE(file_exists(folder.path(), "load"));
  EXPECT_FALSE(file_exists(folder.path() / "absent", "load"));
  EXPECT_FALSE(file_exists(folder.path() / "a" / "below a file", "load"));
  const std::filesystem::path long_name = std::string(300, 'n');
  EXPECT_EQ(message_of<EnvironmentError>([&] { (void)file_exists(long_name, "load"); }),
            "load: cannot read " + long_name.string() + ": File name too long");
}

TEST(File, EntriesOfAFolderAreItsPaths) {
  const TemporaryFolder folder;
  const auto file = folder.write("a", {});
  std::error_code error;
  EXPECT_EQ(entries_of(folder.path(), error), (std::vector<std::filesystem::path>{file}));
  EXPECT_FALSE(error);
  EXPECT_TRUE(entries_of(file, error).empty());
  EXPECT_EQ(error, std::errc::not_a_directory);
}

}  // namespace file_test
}  // namespace ddx
