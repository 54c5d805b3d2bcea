/// \file
/// Pictures as PNG files.

#pragma once

#include "ddx/io/image.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace ddx::io {

/// Reads a picture from a PNG file of any kind. Greys become colours, 16 bits become 8, the gamma
/// that the file states is corrected to sRGB; transparency is dropped.
///
/// Throws:  EnvironmentError where the file cannot be read, is damaged or truncated, or claims more
///          points than its bytes can hold or than 2^28. Names the file.
[[nodiscard]] Image read_png(const std::filesystem::path& file);

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
