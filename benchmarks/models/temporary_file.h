/// \file
/// Files of one run.

#pragma once

#include <filesystem>
#include <fmt/format.h>
#include <string>
#include <system_error>
#include <unistd.h>

namespace ddx::bench {

/// A file, or a folder, that is removed with this object.
struct TemporaryFile {
  std::filesystem::path path;

  explicit TemporaryFile(const std::string& name)
      : path(std::filesystem::temp_directory_path() /
             fmt::format("bench_models-{}-{}", getpid(), name)) {}
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
};

}  // namespace ddx::bench
