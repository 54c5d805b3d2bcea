/// \file
/// What the fuzzers of readers share.

#pragma once

#include "ddx/core/error.h"

#include "tests/support/temporary_folder.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace ddx::testing {

/// A file in memory whose content is replaced for each input.
class FuzzedFile {
 public:
  FuzzedFile() : descriptor_(memfd_create("fuzzed", 0)) {
    if (descriptor_ < 0) {
      throw std::runtime_error("memfd_create failed");
    }
  }
  ~FuzzedFile() { close(descriptor_); }
  FuzzedFile(const FuzzedFile&) = delete;
  FuzzedFile& operator=(const FuzzedFile&) = delete;

  /// The file, with this content.
  [[nodiscard]] std::filesystem::path holding(const std::uint8_t* data, std::size_t size) {
    if (ftruncate(descriptor_, 0) != 0 ||
        pwrite(descriptor_, data, size, 0) != static_cast<ssize_t>(size)) {
      throw std::runtime_error("the file in memory cannot be written");
    }
    return "/proc/self/fd/" + std::to_string(descriptor_);
  }

 private:
  int descriptor_;
};

/// Reads the bytes as a file. The only way out but success is an EnvironmentError; libFuzzer
/// reports any other, and what the sanitizers find.
template <class Read>
int fuzz_file(const std::uint8_t* data, std::size_t size, const Read& read) {
  static FuzzedFile file;
  try {
    read(file.holding(data, size));
  } catch (const EnvironmentError&) {
  }
  return 0;
}

/// The same for a reader that asks for the name of a file.
template <class Read>
int fuzz_named_file(const char* name, const std::uint8_t* data, std::size_t size,
                    const Read& read) {
  static const TemporaryFolder folder;
  return fuzz_file(data, size, [&](const std::filesystem::path& file) {
    const auto link = folder.path() / name;
    if (!std::filesystem::is_symlink(link)) {
      std::filesystem::create_symlink(file, link);
    }
    read(link);
  });
}

/// Ends the run where something that must hold does not.
inline void require(bool holds, const char* what) {
  if (!holds) {
    throw std::logic_error(what);
  }
}

}  // namespace ddx::testing
