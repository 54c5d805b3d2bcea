/// \file
/// Whole files in memory.

#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace ddx {

/// Reads the whole file; `operation` opens the message of the error.
///
/// Throws:  EnvironmentError where the file is absent, not a regular file, longer than `limit`
///          bytes, or cannot be read. Names the file and the system's reason.
[[nodiscard]] std::vector<std::uint8_t> read_file(const std::filesystem::path& file,
                                                  const std::string& operation,
                                                  std::uint64_t limit = std::uint64_t{1} << 40);

/// Whether a file or folder of this name exists; a link counts where its target exists.
///
/// Throws:  EnvironmentError "operation: cannot read FILE: reason" where the system refuses to
///          look: a folder that may not be searched, a name that is too long.
[[nodiscard]] bool file_exists(const std::filesystem::path& file, const std::string& operation);

/// The paths of the entries of a folder, in no order. Sets `error`, and returns those before it,
/// where the folder cannot be read.
[[nodiscard]] std::vector<std::filesystem::path> entries_of(const std::filesystem::path& folder,
                                                            std::error_code& error);

}  // namespace ddx
