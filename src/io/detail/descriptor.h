/// \file
/// Open files of the system.

#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <unistd.h>
#include <utility>

namespace ddx::io::detail {

/// An open file descriptor, closed at the end; negative where there is none.
class Descriptor {
 public:
  explicit Descriptor(int number) noexcept : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }

  [[nodiscard]] int number() const noexcept { return number_; }
  /// Whether closing succeeded; some file systems report a full disk only here.
  bool close() noexcept { return number_ < 0 || ::close(std::exchange(number_, -1)) == 0; }

 private:
  int number_;
};

/// Writes all bytes where the descriptor stands; false where the system refuses, with errno set.
[[nodiscard]] bool write_all(int descriptor, std::span<const std::uint8_t> bytes) noexcept;

/// Throws: EnvironmentError "operation: cannot write FILE: reason" for a value of errno.
[[noreturn]] void fail_writing(const std::filesystem::path& file, const std::string& operation,
                               int error);

}  // namespace ddx::io::detail
