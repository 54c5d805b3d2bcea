#include "io/detail/descriptor.h"

#include "ddx/core/error.h"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <unistd.h>

namespace ddx::io::detail {

bool write_all(int descriptor, std::span<const std::uint8_t> bytes) noexcept {
  while (!bytes.empty()) {
    const auto count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      return false;
    }
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return true;
}

void fail_writing(const std::filesystem::path& file, const std::string& operation, int error) {
  throw EnvironmentError(operation, "cannot write " + file.string() + ": " + std::strerror(error));
}

}  // namespace ddx::io::detail
