#include "ddx/io/append_file.h"

#include "ddx/core/error.h"

#include "tests/support/temporary_folder.h"

#include <csignal>
#include <cstdint>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <utility>
#include <vector>

namespace ddx::io {
namespace append_file_test {

using ddx::testing::bytes_of;
using ddx::testing::message_of;
using ddx::testing::TemporaryFolder;

using Bytes = std::vector<std::uint8_t>;

TEST(AppendFile, EachPieceIsThereAtOnce) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a";
  AppendFile growing(file, "test");
  EXPECT_EQ(bytes_of(file), Bytes());
  growing.append(Bytes{1, 2});
  EXPECT_EQ(bytes_of(file), (Bytes{1, 2}));
  growing.append(Bytes{});
  growing.append(Bytes{3});
  EXPECT_EQ(bytes_of(file), (Bytes{1, 2, 3}));
  EXPECT_EQ(growing.size(), 3U);
}

TEST(AppendFile, GoesOnWhereAFileEnds) {
  const TemporaryFolder folder;
  const auto file = folder.write("a", Bytes{7, 8});
  AppendFile first(file, "test");
  AppendFile growing(std::move(first));
  EXPECT_EQ(growing.size(), 2U);
  growing.append(Bytes{9});
  EXPECT_EQ(bytes_of(file), (Bytes{7, 8, 9}));
}

TEST(AppendFile, CanBeShortened) {
  const TemporaryFolder folder;
  const auto file = folder.write("a", Bytes{7, 8, 9});
  AppendFile growing(file, "test");
  growing.shorten(1);
  growing.append(Bytes{5});
  EXPECT_EQ(bytes_of(file), (Bytes{7, 5}));
  EXPECT_EQ(message_of<UsageError>([&] { growing.shorten(3); }),
            "test: cannot shorten " + file.string() + " from 2 bytes to 3");
}

TEST(AppendFile, APieceThatDoesNotFitLeavesNothing) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a";
  AppendFile growing(file, "test");
  growing.append(Bytes(10));
  // A limit on the size of files acts as a full disk does: the first bytes of the piece fit.
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{.rlim_cur = 15, .rlim_max = before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto message = message_of<EnvironmentError>([&] { growing.append(Bytes(20)); });
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(message, "test: cannot write " + file.string() + ": File too large");
  EXPECT_EQ(bytes_of(file).size(), 10U);
  growing.append(Bytes{1});
  EXPECT_EQ(bytes_of(file).size(), 11U);
}

TEST(AppendFile, AnUnwritablePlaceIsNamed) {
  const TemporaryFolder folder;
  EXPECT_EQ(message_of<EnvironmentError>([&] { AppendFile(folder.path(), "test"); }),
            "test: cannot write " + folder.path().string() + ": Is a directory");
}

}  // namespace append_file_test
}  // namespace ddx::io
