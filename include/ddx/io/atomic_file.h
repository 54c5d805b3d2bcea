/// \file
/// Files that appear whole or not at all.

#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace ddx::io {

/// Replaces `file` by these bytes. A reader sees the old content or the new one, also after a
/// crash: the bytes go to a temporary file in the same folder, reach the disk, and take the name.
///
/// Throws:  EnvironmentError where the folder cannot be written or the disk is full; `operation`
///          opens the message. Nothing is left behind, and an old file keeps its content.
void write_file_atomically(const std::filesystem::path& file, std::span<const std::uint8_t> bytes,
                           const std::string& operation);

}  // namespace ddx::io
