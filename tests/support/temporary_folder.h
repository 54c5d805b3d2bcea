/// \file
/// A folder that exists for one test.

#pragma once

#include "tests/support/thrown.h"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace ddx::testing {

/// An empty folder, removed with all its content at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "ddx_test_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
      throw std::runtime_error("cannot make a temporary folder");
    }
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

  /// A file of these bytes in the folder.
  [[nodiscard]] std::filesystem::path write(const std::string& name,
                                            std::span<const std::uint8_t> bytes) const {
    const auto file = path_ / name;
    std::ofstream stream(file, std::ios::binary);
    stream.write(reinterpret_cast<const char*>(bytes.data()),
                 static_cast<std::streamsize>(bytes.size()));
    return file;
  }

  /// How many files and folders lie in it.
  [[nodiscard]] std::ptrdiff_t entry_count() const {
    return std::distance(std::filesystem::directory_iterator(path_),
                         std::filesystem::directory_iterator());
  }

 private:
  std::filesystem::path path_;
};

/// The bytes of a file.
inline std::vector<std::uint8_t> bytes_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// The message of the exception of type `Failure` that `f` throws; what happened instead, in
/// brackets.
template <class Failure, class F>
std::string message_of(F&& f) {
  try {
    f();
  } catch (const Failure& failure) {
    return without_called_at(failure.what());
  } catch (...) {
    return "(another exception)";
  }
  return "(no exception)";
}

}  // namespace ddx::testing
