#include "ddx/io/atomic_file.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/error.h"

#include "io/detail/descriptor.h"
#include "io/detail/temporary_file.h"

#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <filesystem>
#include <new>
#include <span>
#include <string>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace ddx::io {
namespace {

std::filesystem::path folder_of(const std::filesystem::path& file) {
  return file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
}

/// Whether a link may have been planted: in a folder where everybody makes files, such as /tmp,
/// only links of this user and of the folder's owner are followed (Linux, `fs.protected_symlinks`).
bool is_foreign_link(const std::filesystem::path& folder, const struct stat& link) {
  struct stat status{};
  constexpr mode_t shared = S_ISVTX | S_IWOTH;
  return ::stat(folder.c_str(), &status) == 0 && (status.st_mode & shared) == shared &&
         link.st_uid != ::geteuid() && link.st_uid != status.st_uid;
}

/// The file that a name denotes: the target of symbolic links, which may be absent.
std::filesystem::path behind_links(const std::filesystem::path& name,
                                   const std::string& operation) {
  constexpr int most_links = 40;  // As many as Linux follows.
  auto file = name;
  for (int followed = 0; followed <= most_links; ++followed) {
    struct stat status{};
    if (::lstat(file.c_str(), &status) != 0 || !S_ISLNK(status.st_mode)) {
      return file;
    }
    const auto folder = folder_of(file);
    if (is_foreign_link(folder, status)) {
      detail::fail_writing(name, operation, EACCES);
    }
    std::error_code error;
    const auto target = std::filesystem::read_symlink(file, error);
    if (error) {
      detail::fail_writing(name, operation, error.value());
    }
    file = folder / target;
  }
  detail::fail_writing(name, operation, ELOOP);
}

/// Gives a file the mode of another, and its owner and group where the system allows it. Where the
/// group cannot be given, the new group may do what all others may.
bool take_permissions(int descriptor, const struct stat& from) noexcept {
  auto mode = from.st_mode & (S_IRWXU | S_IRWXG | S_IRWXO);
  struct stat own{};
  if (::fstat(descriptor, &own) != 0) {
    return false;
  }
  if ((own.st_uid != from.st_uid || own.st_gid != from.st_gid) &&
      ::fchown(descriptor, from.st_uid, from.st_gid) != 0 && own.st_gid != from.st_gid &&
      ::fchown(descriptor, static_cast<uid_t>(-1), from.st_gid) != 0) {
    mode = (mode & ~static_cast<mode_t>(S_IRWXG)) | ((mode & S_IRWXO) << 3);
  }
  return ::fchmod(descriptor, mode) == 0;
}

}  // namespace

void write_file_atomically(const std::filesystem::path& file, std::span<const std::uint8_t> bytes,
                           const std::string& operation) try {
  const auto target = behind_links(file, operation);
  struct stat old{};
  const bool replaces = ::stat(target.c_str(), &old) == 0;
  if (!replaces && errno != ENOENT) {
    detail::fail_writing(file, operation, errno);
  }
  if (replaces && S_ISDIR(old.st_mode)) {
    detail::fail_writing(file, operation, EISDIR);
  }
  if (replaces && !S_ISREG(old.st_mode)) {
    throw EnvironmentError(operation, "cannot write " + file.string() + ": not a regular file");
  }
  const auto folder = folder_of(target);
  detail::TemporaryFile temporary(folder, replaces ? 0600 : 0666);
  const int descriptor = temporary.descriptor();
  if (descriptor < 0 || !detail::write_all(descriptor, bytes) ||
      (replaces && !take_permissions(descriptor, old)) || ::fsync(descriptor) != 0 ||
      !temporary.rename_to(target)) {
    detail::fail_writing(file, operation, errno);
  }
  // The new name survives a crash once the folder has reached the disk. The content is already in
  // place, so a file system that cannot sync folders is no error.
  const detail::Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.number() >= 0) {
    (void)::fsync(opened.number());
  }
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory(operation);
}

}  // namespace ddx::io
