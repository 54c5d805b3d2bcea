#include "backend/pjrt/file_trust.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace ddx::backend::pjrt {
namespace {

/// Of the file or folder alone.
std::optional<std::string> distrust_of_one(const std::filesystem::path& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) {
    return path.string() + ": " + std::strerror(errno);
  }
  if (status.st_uid != 0 && status.st_uid != ::geteuid()) {
    return path.string() + " belongs to user " + std::to_string(status.st_uid);
  }
  // Where the sticky bit is set, others cannot rename or remove what is not theirs.
  const bool is_sticky = S_ISDIR(status.st_mode) && (status.st_mode & S_ISVTX) != 0;
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0 && !is_sticky) {
    return path.string() + " is writable by " +
           ((status.st_mode & S_IWOTH) != 0 ? "everybody" : "its group");
  }
  return std::nullopt;
}

std::optional<std::string> distrust_of_whole(const std::filesystem::path& path) {
  std::error_code error;
  auto part = std::filesystem::canonical(path, error);
  if (error) {
    return path.string() + ": " + error.message();
  }
  while (true) {
    if (auto reason = distrust_of_one(part)) {
      return reason;
    }
    if (part == part.root_path()) {
      return std::nullopt;
    }
    part = part.parent_path();
  }
}

}  // namespace

std::optional<std::string> reason_for_distrust(const std::filesystem::path& file) {
  const auto folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  auto reason = distrust_of_whole(folder);
  return reason ? reason : distrust_of_whole(file);
}

}  // namespace ddx::backend::pjrt
