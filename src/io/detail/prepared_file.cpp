#include "io/detail/prepared_file.h"

#include "ddx/core/error.h"

#include "io/detail/descriptor.h"
#include "io/detail/temporary_file.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <string>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace ddx::io::detail {
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
      fail_writing(name, operation, EACCES);
    }
    std::error_code error;
    const auto target = std::filesystem::read_symlink(file, error);
    if (error) {
      fail_writing(name, operation, error.value());
    }
    file = folder / target;
  }
  fail_writing(name, operation, ELOOP);
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

/// The file that is replaced, if there is one and it may be replaced.
std::optional<struct stat> replaced_file(const std::filesystem::path& file,
                                         const std::filesystem::path& target,
                                         const std::string& operation) {
  struct stat old{};
  if (::stat(target.c_str(), &old) != 0) {
    if (errno != ENOENT) {
      fail_writing(file, operation, errno);
    }
    return std::nullopt;
  }
  if (S_ISDIR(old.st_mode)) {
    fail_writing(file, operation, EISDIR);
  }
  if (!S_ISREG(old.st_mode)) {
    throw EnvironmentError(operation, "cannot write " + file.string() + ": not a regular file");
  }
  return old;
}

bool write_parts(int descriptor, const FileParts& parts) noexcept {
  return std::all_of(parts.begin(), parts.end(),
                     [&](auto part) { return write_all(descriptor, part); });
}

}  // namespace

PreparedFile::PreparedFile(std::filesystem::path file, const FileParts& parts,
                           std::string operation)
    : file_(std::move(file)), operation_(std::move(operation)) {
  target_ = behind_links(file_, operation_);
  const auto old = replaced_file(file_, target_, operation_);
  temporary_.emplace(folder_of(target_), old ? 0600 : 0666);
  const int descriptor = temporary_->descriptor();
  if (descriptor < 0 || !write_parts(descriptor, parts) ||
      (old && !take_permissions(descriptor, *old)) || ::fsync(descriptor) != 0) {
    fail_writing(file_, operation_, errno);
  }
}

void PreparedFile::publish() {
  if (!temporary_->rename_to(target_)) {
    fail_writing(file_, operation_, errno);
  }
  sync_folder_of(target_);
}

void sync_folder_of(const std::filesystem::path& file) {
  const Descriptor opened(::open(folder_of(file).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.number() >= 0) {
    (void)::fsync(opened.number());
  }
}

}  // namespace ddx::io::detail
