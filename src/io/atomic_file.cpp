#include "ddx/io/atomic_file.h"

#include "io/detail/descriptor.h"

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <span>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace ddx::io {
namespace {

/// A file that is removed at the end unless it was kept.
class Temporary {
 public:
  explicit Temporary(std::string name) : name_(std::move(name)) {}
  ~Temporary() {
    if (!name_.empty()) {
      ::unlink(name_.c_str());
    }
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  void keep() noexcept { name_.clear(); }

 private:
  std::string name_;
};

}  // namespace

void write_file_atomically(const std::filesystem::path& file, std::span<const std::uint8_t> bytes,
                           const std::string& operation) {
  if (std::filesystem::is_directory(file)) {
    detail::fail_writing(file, operation, EISDIR);
  }
  const auto folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  std::string name = (folder / ("." + file.filename().string() + ".XXXXXX")).string();
  detail::Descriptor descriptor(::mkstemp(name.data()));
  if (descriptor.number() < 0) {
    detail::fail_writing(file, operation, errno);
  }
  Temporary temporary(name);
  // mkstemp makes files private; the result gets the permissions of any new file.
  const mode_t mask = ::umask(0);
  ::umask(mask);
  if (::fchmod(descriptor.number(), 0666 & ~mask) != 0 ||
      !detail::write_all(descriptor.number(), bytes) || ::fsync(descriptor.number()) != 0 ||
      !descriptor.close()) {
    detail::fail_writing(file, operation, errno);
  }
  if (std::rename(name.c_str(), file.c_str()) != 0) {
    detail::fail_writing(file, operation, errno);
  }
  temporary.keep();
  // The new name survives a crash once the folder has reached the disk. The content is already in
  // place, so a file system that cannot sync folders is no error.
  const detail::Descriptor folder_descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY));
  if (folder_descriptor.number() >= 0) {
    (void)::fsync(folder_descriptor.number());
  }
}

}  // namespace ddx::io
