/// \file
/// Files that are on the disk before they take their name.

#pragma once

#include "io/detail/temporary_file.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ddx::io::detail {

/// The bytes of a file, in the order of these parts.
using FileParts = std::vector<std::span<const std::uint8_t>>;

/// A file that is written and waits for its name: of several, all are prepared before the first
/// takes its name. What `write_file_atomically` says of modes, links and left files holds. Without
/// `publish` nothing is left.
class PreparedFile {
 public:
  /// Throws:  EnvironmentError as write_file_atomically; `operation` opens the message.
  PreparedFile(std::filesystem::path file, const FileParts& parts, std::string operation);

  /// Gives the file its name, in place of the file that had it, once.
  ///
  /// Throws:  EnvironmentError where the system refuses; an old file keeps its content.
  void publish();

 private:
  std::filesystem::path file_;
  std::string operation_;
  std::filesystem::path target_;  // The file, behind symbolic links.
  std::optional<TemporaryFile> temporary_;
};

/// Waits until the names in the folder of this file are on the disk. A file system that cannot sync
/// folders is no error.
void sync_folder_of(const std::filesystem::path& file);

}  // namespace ddx::io::detail
