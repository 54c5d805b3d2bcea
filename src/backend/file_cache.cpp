#include "backend/file_cache.h"

#include "ddx/core/file.h"

#include "backend/content_hash.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace ddx::backend {
namespace {

// Longer than any file that is written here.
constexpr std::uint64_t most_file_bytes = std::uint64_t{1} << 28;

// What a process that was killed has left half written has no owner after this time.
constexpr std::chrono::hours abandoned{1};

struct Header {
  std::uint64_t magic_number;
  std::uint64_t key_bytes;
  std::uint64_t content_bytes;
  std::uint64_t checksum;  // Of the key and the content.
};

std::uint64_t checksum_of(std::uint64_t magic, std::string_view key,
                          std::span<const std::byte> content) {
  return content_hash(content, content_hash(std::as_bytes(std::span(key)), magic));
}

class Descriptor {
 public:
  explicit Descriptor(int number) noexcept : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) {
      ::close(number_);
    }
  }
  [[nodiscard]] int number() const noexcept { return number_; }

 private:
  int number_;
};

bool is_of_this_user(const struct stat& status) noexcept {
  return status.st_uid == ::geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

bool write_all(int descriptor, std::span<const std::byte> bytes) noexcept {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      return false;
    }
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return true;
}

bool read_all(int descriptor, std::span<std::byte> bytes) noexcept {
  while (!bytes.empty()) {
    const ssize_t taken = ::read(descriptor, bytes.data(), bytes.size());
    if (taken < 0 && errno == EINTR) {
      continue;
    }
    if (taken <= 0) {
      return false;
    }
    bytes = bytes.subspan(static_cast<std::size_t>(taken));
  }
  return true;
}

/// The bytes of a regular file of this user; none where it is not one.
std::optional<std::vector<std::byte>> contents(const std::filesystem::path& file) {
  const Descriptor descriptor(::open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  struct stat status{};
  if (descriptor.number() < 0 || ::fstat(descriptor.number(), &status) != 0 ||
      !S_ISREG(status.st_mode) || !is_of_this_user(status) ||
      static_cast<std::uint64_t>(status.st_size) > most_file_bytes) {
    return std::nullopt;
  }
  std::vector<std::byte> bytes(static_cast<std::size_t>(status.st_size));
  if (!read_all(descriptor.number(), bytes)) {
    return std::nullopt;
  }
  ::futimens(descriptor.number(), nullptr);  // It has been used.
  return bytes;
}

}  // namespace

std::optional<std::vector<std::byte>> FileCache::find(std::string_view key) const {
  struct stat status{};
  if (folder_.empty() || ::stat(folder_.c_str(), &status) != 0 || !is_of_this_user(status)) {
    return std::nullopt;
  }
  const auto bytes = contents(file_of(key));
  Header header{};
  if (!bytes || bytes->size() < sizeof header) {
    return std::nullopt;
  }
  std::memcpy(&header, bytes->data(), sizeof header);
  const auto rest = std::span(*bytes).subspan(sizeof header);
  if (header.magic_number != kind_.magic || header.key_bytes != key.size() ||
      rest.size() < key.size() || header.content_bytes != rest.size() - key.size() ||
      std::memcmp(rest.data(), key.data(), key.size()) != 0) {
    return std::nullopt;
  }
  const auto content = rest.subspan(key.size());
  if (checksum_of(kind_.magic, key, content) != header.checksum) {
    return std::nullopt;
  }
  return std::vector<std::byte>(content.begin(), content.end());
}

bool FileCache::store(std::string_view key, std::span<const std::byte> content) const {
  if (folder_.empty()) {
    return false;
  }
  std::error_code error;
  std::filesystem::create_directories(folder_.parent_path(), error);
  ::mkdir(folder_.c_str(), 0700);
  struct stat status{};
  if (::stat(folder_.c_str(), &status) != 0 || !is_of_this_user(status)) {
    return false;
  }
  std::string name = (folder_ / "half.XXXXXX").string();
  bool is_whole = false;
  {
    const Descriptor descriptor(::mkstemp(name.data()));
    if (descriptor.number() < 0) {
      return false;
    }
    const Header header{kind_.magic, key.size(), content.size(),
                        checksum_of(kind_.magic, key, content)};
    is_whole = write_all(descriptor.number(), std::as_bytes(std::span(&header, 1))) &&
               write_all(descriptor.number(), std::as_bytes(std::span(key))) &&
               write_all(descriptor.number(), content) && ::fsync(descriptor.number()) == 0;
  }
  if (!is_whole || std::rename(name.c_str(), file_of(key).c_str()) != 0) {
    ::unlink(name.c_str());
    return false;
  }
  make_room();
  return true;
}

std::filesystem::path FileCache::file_of(std::string_view key) const {
  std::array<char, 17> digits{};
  std::snprintf(digits.data(), digits.size(), "%016llx",
                static_cast<unsigned long long>(content_hash(std::as_bytes(std::span(key)))));
  return folder_ / (std::string(digits.data()) + std::string(kind_.ending));
}

void FileCache::make_room() const {
  struct File {
    std::filesystem::file_time_type time;
    std::uint64_t bytes;
    std::filesystem::path path;
  };
  std::vector<File> files;
  std::uint64_t total = 0;
  std::error_code error;
  const auto now = std::filesystem::file_time_type::clock::now();
  for (const auto& path : entries_of(folder_, error)) {
    std::error_code gone;  // Another process may remove it meanwhile.
    File file{.time = std::filesystem::last_write_time(path, gone), .bytes = 0, .path = path};
    if (!gone) {
      file.bytes = std::filesystem::file_size(path, gone);
    }
    if (gone) {
      continue;
    }
    if (file.path.extension() == kind_.ending) {
      total += file.bytes;
      files.push_back(file);
    } else if (file.path.stem() == "half" && now - file.time > abandoned) {
      std::filesystem::remove(file.path, gone);
    }
  }
  std::ranges::sort(files, {}, &File::time);
  for (const File& file : files) {
    if (total <= most_bytes_) {
      break;
    }
    std::error_code gone;
    std::filesystem::remove(file.path, gone);
    total -= file.bytes;
  }
}

}  // namespace ddx::backend
