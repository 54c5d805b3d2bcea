/// \file
/// Pictures as PNG files.

#pragma once

#include "ddx/io/image.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace ddx::io {

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
