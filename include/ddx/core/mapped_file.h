/// \file
/// Files whose bytes are read as memory.

#pragma once

#include "ddx/core/input_file.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace ddx {

/// The bytes of a regular file, mapped into memory for reading: the system reads a page when it is
/// first used, and may drop it again.
///
/// The file must keep its length while it is mapped. If another program shortens it, or the disk
/// fails, the first use of a byte that is gone ends the process (SIGBUS), and bytes that another
/// program overwrites change here too. A file that is replaced by another of its name
/// (io::write_file_atomically) or removed keeps its content here.
class MappedFile {
 public:
  /// Opens and maps the file; `operation` opens the messages of errors.
  ///
  /// Throws:  EnvironmentError as InputFile, and where the system refuses to map the file.
  MappedFile(std::filesystem::path file, std::string operation);

  /// Maps an open file, which may be closed then.
  ///
  /// Throws:  EnvironmentError where the system refuses.
  explicit MappedFile(const InputFile& file);

  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;

  /// All bytes of the file, as long as this object, or the one that it was moved into, lives.
  [[nodiscard]] std::span<const std::uint8_t> bytes() const noexcept { return bytes_; }

  /// Returns to the system the memory of the pages that lie wholly in this part of `bytes()`. The
  /// part stays valid: what is used again is read again.
  void drop(std::span<const std::uint8_t> part) const noexcept;

 private:
  std::span<const std::uint8_t> bytes_;
};

}  // namespace ddx
