/// \file
/// Zip archives made by hand, of members that are not compressed.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ddx::testing {

/// The CRC-32 of ISO 3309, bit by bit.
inline std::uint32_t crc32_of(const std::vector<std::uint8_t>& bytes) {
  std::uint32_t sum = 0xFFFFFFFFU;
  for (const auto byte : bytes) {
    sum ^= byte;
    for (int bit = 0; bit < 8; ++bit) {
      sum = (sum >> 1) ^ ((sum & 1U) != 0 ? 0xEDB88320U : 0U);
    }
  }
  return ~sum;
}

/// The bytes of an archive with these members: names and contents.
///
/// Source:  PKWARE, ".ZIP file format specification", version 6.3, 4.3.
inline std::vector<std::uint8_t> stored_zip(
    const std::vector<std::pair<std::string, std::vector<std::uint8_t>>>& members) {
  std::vector<std::uint8_t> bytes;
  const auto put = [](std::vector<std::uint8_t>& into, std::uint64_t value, int size) {
    for (int i = 0; i < size; ++i) {
      into.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
    }
  };
  std::vector<std::uint8_t> directory;
  // What the header of a member and its entry in the directory have in common.
  const auto put_common = [&](std::vector<std::uint8_t>& into, const auto& member) {
    put(into, 20, 2);          // The version that reads it.
    put(into, 0, 2);           // No flags.
    put(into, 0, 2);           // Not compressed.
    put(into, 0x00210000, 4);  // 1980-01-01.
    put(into, crc32_of(member.second), 4);
    put(into, member.second.size(), 4);
    put(into, member.second.size(), 4);
    put(into, member.first.size(), 2);
    put(into, 0, 2);  // No extra field.
  };
  for (const auto& member : members) {
    put(directory, 0x02014B50, 4);
    put(directory, 20, 2);
    put_common(directory, member);
    put(directory, 0, 2);  // No comment.
    put(directory, 0, 2);  // The first disk.
    put(directory, 0, 6);  // No attributes.
    put(directory, bytes.size(), 4);
    directory.insert(directory.end(), member.first.begin(), member.first.end());
    put(bytes, 0x04034B50, 4);
    put_common(bytes, member);
    bytes.insert(bytes.end(), member.first.begin(), member.first.end());
    bytes.insert(bytes.end(), member.second.begin(), member.second.end());
  }
  const auto begin = bytes.size();
  bytes.insert(bytes.end(), directory.begin(), directory.end());
  put(bytes, 0x06054B50, 4);
  put(bytes, 0, 4);  // One disk.
  put(bytes, members.size(), 2);
  put(bytes, members.size(), 2);
  put(bytes, directory.size(), 4);
  put(bytes, begin, 4);
  put(bytes, 0, 2);  // No comment.
  return bytes;
}

}  // namespace ddx::testing
