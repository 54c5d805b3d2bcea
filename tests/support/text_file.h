/// \file
/// Text files for tests of readers.

#pragma once

#include "ddx/core/error.h"

#include "tests/support/temporary_folder.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace ddx::testing {

/// A file with this text in the folder.
inline std::filesystem::path write_text(const TemporaryFolder& folder, const std::string& name,
                                        const std::string& text) {
  return folder.write(name, std::vector<std::uint8_t>(text.begin(), text.end()));
}

/// The message of the EnvironmentError that reading a file of this text throws, from behind
/// "OPERATION: FILE".
template <class Read>
std::string read_error(const std::string& operation, const std::string& text, Read read) {
  const TemporaryFolder folder;
  const auto file = write_text(folder, "file", text);
  const auto message = message_of<EnvironmentError>([&] { (void)read(file); });
  const std::string start = operation + ": " + file.string();
  return message.starts_with(start) ? message.substr(start.size()) : message;
}

}  // namespace ddx::testing
