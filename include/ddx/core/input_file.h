/// \file
/// Files that are read in parts.

#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace ddx {

/// A regular file that is open for reading. Parts may be read from several threads.
class InputFile {
 public:
  /// Opens the file; `operation` opens the messages of errors.
  ///
  /// Throws:  EnvironmentError where the file is absent, not a regular file, or cannot be opened.
  ///          Names the file and the system's reason.
  InputFile(std::filesystem::path file, std::string operation);
  ~InputFile();
  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&& other) noexcept;

  /// The bytes of the file when it was opened.
  [[nodiscard]] std::uint64_t size() const noexcept;

  /// The system's number of the open file, for its calls that read. It is closed with this object.
  [[nodiscard]] int descriptor() const noexcept;

  /// Reads as many bytes as `into` has, from an offset.
  ///
  /// Throws:  EnvironmentError where the file ends before, or the system refuses.
  void read_at(std::uint64_t offset, std::span<std::uint8_t> into) const;

  /// Throws:  EnvironmentError "operation: cannot read FILE: reason".
  [[noreturn]] void fail(const std::string& reason) const;

 private:
  struct State;
  std::unique_ptr<const State> state_;
};

}  // namespace ddx
