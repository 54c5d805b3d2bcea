#include "ddx/data/idx.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/error.h"
#include "ddx/data/detail/gzip.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <new>
#include <string>
#include <utility>

namespace ddx::data {
namespace {

constexpr std::uint64_t default_limit = std::uint64_t{1} << 30;
constexpr int unsigned_byte_code = 8;

[[noreturn]] void fail(const std::filesystem::path& file, std::size_t offset,
                       const std::string& facts) {
  throw EnvironmentError("read_idx",
                         file.string() + ", byte " + std::to_string(offset) + ": " + facts);
}

}  // namespace

IdxArray read_idx(const std::filesystem::path& file, int rank, const IdxReadOptions& options) try {
  auto bytes = detail::read_maybe_compressed(file, "read_idx",
                                             {.max_bytes = default_limit,
                                              .chosen = options.max_bytes,
                                              .option = "IdxReadOptions::max_bytes"});
  const auto most_elements = options.max_bytes.value_or(default_limit);
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
    if (extent != 0 && count > most_elements / extent) {
      fail(file, offset, "extents give more than " + std::to_string(most_elements) + " elements");
    }
    count *= extent;
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
  bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(offset));
  array.values = std::move(bytes);
  return array;
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("read_idx");
}

}  // namespace ddx::data
