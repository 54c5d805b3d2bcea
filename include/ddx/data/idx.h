/// \file
/// The IDX format: one array of bytes per file.

#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace ddx::data {

/// The content of an IDX file of unsigned bytes, elements in row-major order.
struct IdxArray {
  std::vector<std::int64_t> extents;
  std::vector<std::uint8_t> values;
};

/// Reads an IDX file of unsigned bytes, compressed with gzip or not.
///
/// Throws:  EnvironmentError if the file cannot be read, is truncated, has another magic number,
///          another element type or rank than `rank`, or bytes after its last element. Names the
///          file and the offset of the first byte that is wrong or missing (in the decompressed
///          content; for damaged compression, in the file).
/// Source:  Y. LeCun, C. Cortes, C. Burges, "The MNIST database",
///          http://yann.lecun.com/exdb/mnist/.
[[nodiscard]] IdxArray read_idx(const std::filesystem::path& file, int rank);

}  // namespace ddx::data
