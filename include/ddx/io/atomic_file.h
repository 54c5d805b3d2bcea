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
/// A new file has the mode 0666 less the umask. A file that is replaced keeps its mode, and its
/// owner and group where the system allows it; other hard links to it keep the old content. A
/// symbolic link is followed and stays: its target is replaced, or made. In a folder where
/// everybody may make files, such as /tmp, links of other users are refused. A temporary file that
/// a killed process left in the folder is removed.
///
/// Throws:  EnvironmentError where the folder cannot be written, the disk is full, or `file` is a
///          folder or a device; `operation` opens the message. Nothing is left behind, and an old
///          file keeps its content.
void write_file_atomically(const std::filesystem::path& file, std::span<const std::uint8_t> bytes,
                           const std::string& operation);

}  // namespace ddx::io
