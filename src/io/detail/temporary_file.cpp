#include "io/detail/temporary_file.h"

#include "io/detail/descriptor.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <new>
#include <string>
#include <string_view>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>
#include <utility>

namespace ddx::io::detail {
namespace {

constexpr std::string_view temporary_stem = ".ddx-save-";
/// More saves at one time into one folder are an error, not a reason to search for ever.
constexpr int most_attempts = 10000;

/// Waits for the lock. Some file systems have none: files that are left there are not removed.
void lock_file(int descriptor) noexcept {
  while (::flock(descriptor, LOCK_EX) != 0 && errno == EINTR) {
  }
}

/// Whether the name is still that of the open file.
bool has_name(int descriptor, const std::string& name) noexcept {
  struct stat file{};
  struct stat named{};
  return ::fstat(descriptor, &file) == 0 && ::lstat(name.c_str(), &named) == 0 &&
         file.st_dev == named.st_dev && file.st_ino == named.st_ino;
}

enum class Found { Nothing, Abandoned, InUse };

/// Looks at a name, and removes the file where a killed process left it.
Found remove_abandoned(const std::string& name) noexcept {
  const Descriptor file(::open(name.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (file.number() < 0) {
    return errno == ENOENT ? Found::Nothing : Found::InUse;
  }
  struct stat status{};
  if (::fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode) ||
      status.st_uid != ::geteuid() || ::flock(file.number(), LOCK_EX | LOCK_NB) != 0) {
    return Found::InUse;
  }
  // Between `open` and `flock` its process may have renamed the file, or another one removed it,
  // and a third one made a new file of this name. While the file is locked here and has the name,
  // no other process renames or removes it.
  if (has_name(file.number(), name)) {
    ::unlink(name.c_str());
  }
  return Found::Abandoned;
}

}  // namespace

TemporaryFile::TemporaryFile(const std::filesystem::path& folder, mode_t mode) {
  const auto name_of = [&](int number) {
    return (folder / (std::string(temporary_stem) + std::to_string(number))).string();
  };
  int number = 0;
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    auto name = name_of(number);
    Descriptor file(::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
    if (file.number() >= 0) {
      lock_file(file.number());
      // Between `open` and `flock` another process may have taken the file for abandoned.
      if (has_name(file.number(), name)) {
        descriptor_ = std::move(file);
        name_ = std::move(name);
        break;
      }
    } else if (errno != EEXIST) {
      return;
    } else if (remove_abandoned(name) == Found::InUse) {
      ++number;
    }
    errno = EEXIST;
  }
  if (descriptor_.number() < 0) {
    return;
  }
  try {
    while (++number < most_attempts && remove_abandoned(name_of(number)) != Found::Nothing) {
    }
  } catch (const std::bad_alloc&) {
    return;  // The next save removes them; the own file has an owner who removes it.
  }
}

TemporaryFile::~TemporaryFile() {
  if (!name_.empty()) {
    ::unlink(name_.c_str());
  }
}

bool TemporaryFile::rename_to(const std::filesystem::path& file) noexcept {
  if (std::rename(name_.c_str(), file.c_str()) != 0) {
    return false;
  }
  name_.clear();
  return true;
}

}  // namespace ddx::io::detail
