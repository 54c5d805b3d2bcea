/// \file
/// Pictures as PNG files.

#pragma once

#include "ddx/io/image.h"

#include <filesystem>

namespace ddx::io {

/// Writes a picture as a PNG file of 8-bit colours, atomically.
///
/// Throws:  UsageError where the picture has no point. EnvironmentError where the file cannot be
///          written.
void write_png(const std::filesystem::path& file, const Image& image);

}  // namespace ddx::io
