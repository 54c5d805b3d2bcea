#include "ddx/data/idx.h"

#include "ddx/core/error.h"
#include "ddx/data/detail/gzip.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace ddx::data {
namespace {

constexpr std::uint64_t largest_content = std::uint64_t{1} << 30;
constexpr int unsigned_byte_code = 8;

[[noreturn]] void fail(const std::filesystem::path& file, std::size_t offset,
                       const std::string& facts) {
  throw EnvironmentError("read_idx",
                         file.string() + ", byte " + std::to_string(offset) + ": " + facts);
}

}  // namespace

IdxArray read_idx(const std::filesystem::path& file, int rank) {
  const auto bytes = detail::read_maybe_compressed(file, "read_idx", largest_content);
  const auto byte = [&](std::size_t offset) -> std::uint8_t {
    if (offset >= bytes.size()) {
      fail(file, bytes.size(), "the file ends inside its header");
    }
    return bytes[offset];
  };
  const auto expect = [&](std::size_t offset, int wanted, const std::string& what) {
    if (byte(offset) != wanted) {
      fail(file, offset,
           what + " is " + std::to_string(byte(offset)) + ", expected " + std::to_string(wanted));
    }
  };
  expect(0, 0, "magic number");
  expect(1, 0, "magic number");
  expect(2, unsigned_byte_code, "element type");
  expect(3, rank, "rank");

  IdxArray array;
  std::uint64_t count = 1;
  std::size_t offset = 4;
  for (int axis = 0; axis < rank; ++axis, offset += 4) {
    std::uint64_t extent = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      extent = extent << 8 | byte(offset + i);
    }
    // Each factor is below 2^32 and the product so far at most 2^30: no overflow.
    count *= extent;
    if (count > largest_content) {
      fail(file, offset, "extents give more than " + std::to_string(largest_content) + " elements");
    }
    array.extents.push_back(static_cast<std::int64_t>(extent));
  }
  if (bytes.size() < offset + count) {
    fail(file, bytes.size(),
         "the file is truncated: expected " + std::to_string(offset + count) + " bytes, found " +
             std::to_string(bytes.size()));
  }
  if (bytes.size() > offset + count) {
    fail(file, offset + count,
         std::to_string(bytes.size() - offset - count) + " bytes follow the last element");
  }
  array.values.assign(bytes.begin() + static_cast<std::ptrdiff_t>(offset), bytes.end());
  return array;
}

}  // namespace ddx::data
