/// \file
/// Bytes of a file that may be compressed with gzip.

#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ddx::data::detail {

/// How long the content of a file may be.
struct ContentLimits {
  std::uint64_t max_bytes;  ///< Of every file.
  /// What the caller of the reader chose. It takes the place of both limits: that above and that of
  /// compressed files, the larger of 64 MiB and 100 times the file.
  std::optional<std::uint64_t> chosen = std::nullopt;
  /// The option that sets `chosen`; empty: the reader has none.
  std::string option = {};
};

/// Reads a whole file and, where it begins with gzip's magic number, decompresses it.
///
/// Throws:  EnvironmentError if the file cannot be read, if its compressed stream is damaged
///          or ends early (names the offset in the compressed file), where bytes follow the stream,
///          or if the content is longer than the limits (names the limit, and what raises it).
/// Cost:    at most twice the memory of the content, beside the compressed file.
/// Source:  P. Deutsch, "GZIP file format specification version 4.3", RFC 1952.
[[nodiscard]] std::vector<std::uint8_t> read_maybe_compressed(const std::filesystem::path& file,
                                                              const std::string& operation,
                                                              const ContentLimits& limits);

}  // namespace ddx::data::detail
