/// \file
/// Bytes of a file that may be compressed with gzip.

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace ddx::data::detail {

/// Reads a whole file and, where it begins with gzip's magic number, decompresses it.
///
/// Throws:  EnvironmentError if the file cannot be read, if its compressed stream is damaged or
///          ends early (names the offset in the compressed file), where bytes follow the stream, or
///          if the content is longer than `limit` bytes.
/// Source:  P. Deutsch, "GZIP file format specification version 4.3", RFC 1952.
[[nodiscard]] std::vector<std::uint8_t> read_maybe_compressed(const std::filesystem::path& file,
                                                              const std::string& operation,
                                                              std::uint64_t limit);

}  // namespace ddx::data::detail
