#include "ddx/io/folder.h"

#include "ddx/core/error.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>
#include <unistd.h>

namespace ddx::io {

void prepare_folder(const std::filesystem::path& folder, const std::string& operation) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    throw EnvironmentError(operation,
                           "cannot make folder " + folder.string() + ": " + error.message());
  }
  // Only a file tells: permissions do not bind every user, and do not know of full disks.
  std::string name = (folder / ".writable.XXXXXX").string();
  const int file = ::mkstemp(name.data());
  if (file < 0) {
    throw EnvironmentError(
        operation, "cannot write to folder " + folder.string() + ": " + std::strerror(errno));
  }
  ::unlink(name.c_str());
  ::close(file);
}

}  // namespace ddx::io
