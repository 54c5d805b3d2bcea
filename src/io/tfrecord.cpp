#include "ddx/io/tfrecord.h"

#include "ddx/io/crc32c.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ddx::io {
namespace {

void append_little_endian(std::vector<std::uint8_t>& bytes, std::uint64_t number, int size) {
  for (int shift = 0; shift < 8 * size; shift += 8) {
    bytes.push_back(static_cast<std::uint8_t>(number >> shift));
  }
}

}  // namespace

std::vector<std::uint8_t> tfrecord(std::span<const std::uint8_t> content) {
  std::vector<std::uint8_t> record;
  record.reserve(content.size() + 16);
  append_little_endian(record, content.size(), 8);
  append_little_endian(record, masked_crc32c(record), 4);
  record.insert(record.end(), content.begin(), content.end());
  append_little_endian(record, masked_crc32c(content), 4);
  return record;
}

}  // namespace ddx::io
