/// \file
/// Pictures as PNG files.

#pragma once

#include "ddx/io/image.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace ddx::io {

/// How a PNG file is read.
struct PngReadOptions {
  /// The most points that a picture may have. A point takes 4 bytes, and a small file can claim
  /// many: one colour takes a bit for each 1000 points.
  std::uint64_t max_points = std::uint64_t{1} << 27;
};

/// Reads a picture from a PNG file of any kind. Greys become colours, 16 bits become 8, the gamma
/// that the file states is corrected to sRGB; transparency is dropped.
///
/// Throws:  EnvironmentError where the file cannot be read, is damaged or truncated, or claims more
///          points than its bytes can hold or than the limit. Names the file.
[[nodiscard]] Image read_png(const std::filesystem::path& file, const PngReadOptions& options = {});

/// A picture as the content of a PNG file of 8-bit colours.
///
/// Throws:  UsageError where the picture has no point.
[[nodiscard]] std::vector<std::uint8_t> encode_png(const Image& image);

/// Writes a picture as a PNG file of 8-bit colours, atomically.
///
/// Throws:  UsageError where the picture has no point. EnvironmentError where the file cannot be
///          written.
void write_png(const std::filesystem::path& file, const Image& image);

}  // namespace ddx::io
