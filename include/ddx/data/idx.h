/// \file
/// The IDX format: one array of bytes per file.

#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace ddx::data {

/// The content of an IDX file of unsigned bytes, elements in row-major order.
struct IdxArray {
  std::vector<std::int64_t> extents;
  std::vector<std::uint8_t> values;
};

/// How an IDX file is read.
struct IdxReadOptions {
  /// The longest content that is accepted, header included; else 1 GiB, and for a compressed file
  /// the larger of 64 MiB and 100 times the file.
  std::optional<std::uint64_t> max_bytes = std::nullopt;
};

/// Reads an IDX file of unsigned bytes, compressed with gzip or not.
///
/// Throws:  EnvironmentError if the file cannot be read, is truncated, has another magic number,
///          another element type or rank than `rank`, more bytes than the limit, or bytes after
///          its last element. Names the file and the offset of the first byte that is wrong or
///          missing (in the decompressed content; for damaged compression, in the file).
/// Source:  Y. LeCun, C. Cortes, C. Burges, "The MNIST database",
///          http://yann.lecun.com/exdb/mnist/.
[[nodiscard]] IdxArray read_idx(const std::filesystem::path& file, int rank,
                                const IdxReadOptions& options = {});

}  // namespace ddx::data
