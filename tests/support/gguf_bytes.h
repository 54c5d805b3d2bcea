/// \file
/// GGUF files, byte by byte.

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace ddx::testing::gguf {

using Bytes = std::vector<std::uint8_t>;

template <class Number>
Bytes number(Number value) {
  Bytes bytes(sizeof(Number));
  std::memcpy(bytes.data(), &value, sizeof(Number));
  return bytes;
}

inline Bytes text(std::string_view value) {
  Bytes bytes = number<std::uint64_t>(value.size());
  bytes.insert(bytes.end(), value.begin(), value.end());
  return bytes;
}

inline Bytes joined(const std::vector<Bytes>& parts) {
  Bytes all;
  for (const auto& part : parts) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

/// Metadata of the types of ggml.
inline Bytes integer(std::string_view key, std::uint32_t value) {
  return joined({text(key), number<std::uint32_t>(4), number(value)});
}
inline Bytes real(std::string_view key, float value) {
  return joined({text(key), number<std::uint32_t>(6), number(value)});
}
inline Bytes boolean(std::string_view key, bool value) {
  return joined({text(key), number<std::uint32_t>(7), {static_cast<std::uint8_t>(value ? 1 : 0)}});
}
inline Bytes words(std::string_view key, std::string_view value) {
  return joined({text(key), number<std::uint32_t>(8), text(value)});
}
/// A list of texts, of reals or of integers.
inline Bytes list(std::string_view key, const std::vector<std::string_view>& values) {
  Bytes bytes = joined({text(key), number<std::uint32_t>(9), number<std::uint32_t>(8),
                        number<std::uint64_t>(values.size())});
  for (const auto& value : values) {
    bytes = joined({bytes, text(value)});
  }
  return bytes;
}
inline Bytes list(std::string_view key, const std::vector<float>& values) {
  Bytes bytes = joined({text(key), number<std::uint32_t>(9), number<std::uint32_t>(6),
                        number<std::uint64_t>(values.size())});
  for (const float value : values) {
    bytes = joined({bytes, number(value)});
  }
  return bytes;
}
inline Bytes list(std::string_view key, const std::vector<std::int32_t>& values) {
  Bytes bytes = joined({text(key), number<std::uint32_t>(9), number<std::uint32_t>(5),
                        number<std::uint64_t>(values.size())});
  for (const std::int32_t value : values) {
    bytes = joined({bytes, number(value)});
  }
  return bytes;
}

/// One array of the directory.
inline Bytes entry(std::string_view name, const std::vector<std::uint64_t>& extents,
                   std::uint32_t type, std::uint64_t offset) {
  Bytes bytes =
      joined({text(name), number<std::uint32_t>(static_cast<std::uint32_t>(extents.size()))});
  for (const auto extent : extents) {
    bytes = joined({bytes, number(extent)});
  }
  return joined({bytes, number(type), number(offset)});
}

/// A file with these metadata and arrays, and `data` behind them at a multiple of 32.
inline Bytes file_of(const std::vector<Bytes>& metadata, const std::vector<Bytes>& arrays,
                     std::size_t data = 0, std::uint32_t version = 3) {
  Bytes bytes = joined({{'G', 'G', 'U', 'F'},
                        number(version),
                        number<std::uint64_t>(arrays.size()),
                        number<std::uint64_t>(metadata.size()),
                        joined(metadata),
                        joined(arrays)});
  if (data > 0) {
    bytes.resize((bytes.size() + 31) / 32 * 32 + data);
  }
  return bytes;
}

}  // namespace ddx::testing::gguf
