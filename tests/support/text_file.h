/// \file
/// Small files of text for tests of readers.

#pragma once

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

}  // namespace ddx::testing
