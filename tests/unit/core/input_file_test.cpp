#include "ddx/core/input_file.h"

#include "ddx/core/error.h"

#include "tests/support/temporary_folder.h"

#include <cstdint>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <sys/stat.h>
#include <vector>

namespace ddx {
namespace input_file_test {

using testing::message_of;
using testing::TemporaryFolder;

using Bytes = std::vector<std::uint8_t>;

TEST(InputFile, IsReadInParts) {
  const TemporaryFolder folder;
  const InputFile file(folder.write("a", Bytes{1, 2, 3, 4}), "load");
  EXPECT_EQ(file.size(), 4U);
  Bytes part(2);
  file.read_at(1, part);
  EXPECT_EQ(part, (Bytes{2, 3}));
  file.read_at(0, part);
  EXPECT_EQ(part, (Bytes{1, 2}));
}

TEST(InputFile, ThatEndsBeforeAPartIsAnError) {
  const TemporaryFolder folder;
  const auto path = folder.write("a", Bytes{1, 2, 3, 4});
  const InputFile file(path, "load");
  Bytes part(3);
  EXPECT_EQ(message_of<EnvironmentError>([&] { file.read_at(2, part); }),
            "load: cannot read " + path.string() + ": ends at byte 4 of 4");
}

// A pipe without a writer does not make the reader wait.
TEST(InputFile, ThatIsAPipeIsRefused) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "pipe";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(message_of<EnvironmentError>([&] { (void)InputFile(path, "load"); }),
            "load: cannot read " + path.string() + ": not a regular file");
}

}  // namespace input_file_test
}  // namespace ddx
