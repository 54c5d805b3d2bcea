/// \file
/// Pictures as JPEG files.

#pragma once

#include "ddx/io/image.h"

#include <cstdint>
#include <filesystem>

namespace ddx::io {

/// Returns whether this library was built with libjpeg-turbo. Without it, the functions below
/// throw.
[[nodiscard]] bool has_jpeg() noexcept;

/// How a JPEG file is read.
struct JpegReadOptions {
  /// Takes a damaged or truncated picture as far as it can be decoded, grey behind that.
  bool tolerates_damage = false;
  /// The most points that a picture may have. A point takes 3 bytes, in a progressive file 9.
  std::uint64_t max_points = std::uint64_t{1} << 27;
};

/// Reads a picture from a JPEG file of greys or colours.
///
/// Throws:  EnvironmentError where the file cannot be read, is damaged or truncated, is in other
///          colours (CMYK), or claims more points than its bytes can hold or than the limit, and
///          where the library was built without libjpeg-turbo. Names the file.
/// Source:  ITU-T recommendation T.81 (1992).
[[nodiscard]] Image read_jpeg(const std::filesystem::path& file,
                              const JpegReadOptions& options = {});

/// How a JPEG file is written.
struct JpegWriteOptions {
  int quality = 90;  ///< 1 to 100: the larger, the nearer to the picture and the longer the file.
};

/// Writes a picture as a baseline JPEG file, atomically.
///
/// Throws:  UsageError where the picture has no point or more than 65500 in a row or column, or the
///          quality does not lie in [1, 100]. EnvironmentError where the file cannot be written,
///          and where the library was built without libjpeg-turbo.
void write_jpeg(const std::filesystem::path& file, const Image& image,
                const JpegWriteOptions& options = {});

}  // namespace ddx::io
