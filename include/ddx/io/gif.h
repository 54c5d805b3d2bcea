/// \file
/// Pictures that move, as GIF files.

#pragma once

#include "ddx/io/image.h"

#include <chrono>
#include <filesystem>
#include <span>

namespace ddx::io {

/// Whether this library was built with giflib. Without it, the function below throws.
[[nodiscard]] bool has_gif() noexcept;

/// How a GIF file is written.
struct GifWriteOptions {
  /// How long each picture is shown: whole hundredths of a second, rounded down.
  std::chrono::milliseconds delay = std::chrono::milliseconds(100);
  int repetitions = 0;  ///< How often the pictures are shown again; 0: without end.
};

/// Writes pictures of one size as a moving GIF file, atomically. A picture of at most 256 colours
/// keeps them; one of more takes the nearest of 252 that lie evenly (6 reds, 7 greens, 6 blues).
///
/// Throws:  UsageError where there is no picture, one has no point, more than 65535 in a row or
///          column or another size than the first, or the delay or the repetitions do not lie in
///          what 16 bits hold. EnvironmentError where the file cannot be written, and where the
///          library was built without giflib.
/// Source:  CompuServe, "Graphics interchange format, version 89a" (1990).
void write_gif(const std::filesystem::path& file, std::span<const Image> pictures,
               const GifWriteOptions& options = {});

}  // namespace ddx::io
