/// \file
/// Files of pictures to measure with, where the user names none.

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace ddx::bench {

/// A folder that is removed with this object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
};

/// Writes pictures of 500 by 375 points as JPEG files in ten folders of classes. Their spectrum is
/// that of photographs (amplitudes fall with the frequency), and they have edges; a file has about
/// 100 KB, as those of ImageNet.
///
/// Throws:  EnvironmentError where they cannot be written.
void write_pictures(const std::filesystem::path& folder, std::int64_t count);

/// Writes pictures of 32 by 32 points as records of CIFAR-10. The mean colour depends on the class.
///
/// Throws:  EnvironmentError where the file cannot be written.
void write_records(const std::filesystem::path& file, std::int64_t count);

}  // namespace ddx::bench
