/// \file
/// Files that grow by whole pieces.

#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace ddx::io {

/// A file that is open for appending. Each piece reaches the system before `append` returns, and
/// stays whole: readers of the growing file see it with the next look.
class AppendFile {
 public:
  /// Opens the file at its end, or makes an empty one. `operation` opens the messages of errors.
  ///
  /// Throws:  EnvironmentError where it cannot be made or written.
  AppendFile(std::filesystem::path file, std::string operation);
  ~AppendFile();
  AppendFile(AppendFile&& other) noexcept;
  AppendFile& operator=(AppendFile&& other) noexcept;

  /// The number of bytes in the file.
  [[nodiscard]] std::uint64_t size() const noexcept;

  /// Writes a piece at the end.
  ///
  /// Throws:  EnvironmentError where it cannot be written: the disk is full. The file is then as
  ///          before.
  void append(std::span<const std::uint8_t> bytes);

  /// Cuts off all but the first bytes.
  ///
  /// Throws:  UsageError where there are fewer. EnvironmentError where the system refuses.
  void shorten(std::uint64_t size);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ddx::io
