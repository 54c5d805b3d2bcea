#include "ddx/data/idx.h"

#include "ddx/core/error.h"

#include "tests/support/temporary_folder.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::data {
namespace idx_test {

using ddx::testing::message_of;
using ddx::testing::TemporaryFolder;

using Bytes = std::vector<std::uint8_t>;

// Two by three bytes, written down from the format's description.
const Bytes small = {0, 0, 8, 2, 0, 0, 0, 2, 0, 0, 0, 3, 10, 20, 30, 40, 50, 60};

Bytes changed(Bytes bytes, std::size_t place, std::uint8_t value) {
  bytes[place] = value;
  return bytes;
}

TEST(Idx, GivesExtentsAndElements) {
  const TemporaryFolder folder;
  const auto array = read_idx(folder.write("a", small), 2);
  EXPECT_EQ(array.extents, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(array.values, (Bytes{10, 20, 30, 40, 50, 60}));
}

TEST(Idx, EveryTruncationIsReportedAtTheLastByte) {
  const TemporaryFolder folder;
  for (std::size_t length = 0; length < small.size(); ++length) {
    const auto file =
        folder.write("a", Bytes(small.begin(), small.begin() + static_cast<int>(length)));
    const auto message = message_of<EnvironmentError>([&] { (void)read_idx(file, 2); });
    const std::string place =
        "read_idx: " + file.string() + ", byte " + std::to_string(length) + ": ";
    EXPECT_EQ(message, place + (length < 12 ? "the file ends inside its header"
                                            : "the file is truncated: expected 18 bytes, found " +
                                                  std::to_string(length)));
  }
}

TEST(Idx, AForeignFileIsReportedAtTheFirstWrongByte) {
  struct Case {
    const char* why;
    Bytes bytes;
    std::string facts;
  };
  Bytes longer = small;
  longer.push_back(7);
  const Case cases[] = {
      {"magic number", changed(small, 0, 1), ", byte 0: magic number is 1, expected 0"},
      {"magic number", changed(small, 1, 9), ", byte 1: magic number is 9, expected 0"},
      {"floats", changed(small, 2, 13), ", byte 2: element type is 13, expected 8"},
      {"labels for images", changed(small, 3, 1), ", byte 3: rank is 1, expected 2"},
      {"huge extents", changed(small, 4, 255),
       ", byte 4: extents give more than 1073741824 elements"},
      {"more bytes", longer, ", byte 18: 1 bytes follow the last element"},
  };
  const TemporaryFolder folder;
  for (const auto& c : cases) {
    const auto file = folder.write("a", c.bytes);
    const auto message = message_of<EnvironmentError>([&] { (void)read_idx(file, 2); });
    EXPECT_EQ(message, "read_idx: " + file.string() + c.facts) << c.why;
  }
}

TEST(Idx, AnAbsentFileIsNamed) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "absent";
  EXPECT_EQ(message_of<EnvironmentError>([&] { (void)read_idx(file, 2); }),
            "read_idx: cannot read " + file.string() + ": no such file");
  EXPECT_EQ(message_of<EnvironmentError>([&] { (void)read_idx(folder.path(), 2); }),
            "read_idx: cannot read " + folder.path().string() + ": not a regular file");
}

TEST(Idx, TheMostBytesCanBeChosen) {
  const TemporaryFolder folder;
  const auto file = folder.write("a", small);
  EXPECT_EQ(read_idx(file, 2, {.max_bytes = small.size()}).values.size(), 6U);
  EXPECT_EQ(message_of<EnvironmentError>([&] { (void)read_idx(file, 2, {.max_bytes = 17}); }),
            "read_idx: cannot read " + file.string() + ": 18 bytes, at most 17 are accepted");
}

}  // namespace idx_test
}  // namespace ddx::data
