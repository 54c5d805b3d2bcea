/// \file
/// Files that are written before they take their name.

#pragma once

#include "io/detail/descriptor.h"

#include <filesystem>
#include <string>
#include <sys/types.h>

namespace ddx::io::detail {

/// A new, empty file in a folder, open for writing. It is removed at the end unless it was renamed.
///
/// Its name is `.ddx-save-N`, of the first N that is free, and the file is locked (flock) as long
/// as it is open: a file of such a name that belongs to this user and that no process locks was
/// left by a process that was killed. The constructor removes those, up to the first N that is
/// free; the cost is two calls of the system where there are none.
class TemporaryFile {
 public:
  /// Makes the file with this mode, less the umask. `descriptor` is negative and errno set where
  /// the system refuses.
  TemporaryFile(const std::filesystem::path& folder, mode_t mode);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  [[nodiscard]] int descriptor() const noexcept { return descriptor_.number(); }

  /// Gives the file this name, in place of the file that had it; false where the system refuses,
  /// with errno set.
  [[nodiscard]] bool rename_to(const std::filesystem::path& file) noexcept;

 private:
  Descriptor descriptor_{-1};
  std::string name_;  // Empty: no file to remove.
};

}  // namespace ddx::io::detail
