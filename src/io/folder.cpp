#include "ddx/io/folder.h"

#include "ddx/core/error.h"

#include "io/detail/temporary_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>

namespace ddx::io {

void prepare_folder(const std::filesystem::path& folder, const std::string& operation) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    throw EnvironmentError(operation,
                           "cannot make folder " + folder.string() + ": " + error.message());
  }
  // Only a file shows it: permissions do not bind every user, and do not know of full disks.
  const detail::TemporaryFile file(folder, 0600);
  if (file.descriptor() < 0) {
    throw EnvironmentError(
        operation, "cannot write to folder " + folder.string() + ": " + std::strerror(errno));
  }
}

}  // namespace ddx::io
