/// \file
/// Whole files in memory.

#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace ddx {

/// Reads the whole file; `operation` opens the message of the error.
///
/// Throws:  EnvironmentError where the file is absent, not a regular file, longer than `limit`
///          bytes, or cannot be read. Names the file and the system's reason.
[[nodiscard]] std::vector<std::uint8_t> read_file(const std::filesystem::path& file,
                                                  const std::string& operation,
                                                  std::uint64_t limit = std::uint64_t{1} << 40);

}  // namespace ddx
