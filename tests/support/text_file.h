/// \file
/// Small files of text for tests of readers.

#pragma once

#include "ddx/core/error.h"

#include "tests/support/temporary_folder.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace ddx::testing {

/// A file of this text in the folder.
inline std::filesystem::path write_text(const TemporaryFolder& folder, const std::string& name,
                                        std::string_view text) {
  return folder.write(name,
                      std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
}

/// The content of a file.
inline std::string text_of(const std::filesystem::path& file) {
  const auto bytes = bytes_of(file);
  return {bytes.begin(), bytes.end()};
}

/// The message of the EnvironmentError that reading a file of this text throws, from behind
/// "OPERATION: FILE".
template <class Read>
std::string read_error(const std::string& operation, std::string_view text, Read read) {
  const TemporaryFolder folder;
  const auto file = write_text(folder, "file", text);
  const auto message = message_of<EnvironmentError>([&] { (void)read(file); });
  const std::string start = operation + ": " + file.string();
  return message.starts_with(start) ? message.substr(start.size()) : message;
}

}  // namespace ddx::testing
