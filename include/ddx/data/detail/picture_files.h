/// \file
/// Image folders.

#pragma once

#include "ddx/io/image.h"

#include <filesystem>
#include <string>
#include <vector>

namespace ddx::data::detail {

/// The sub-folders of a folder, sorted by name.
///
/// Throws: EnvironmentError if it cannot be read; `operation` opens the message.
[[nodiscard]] std::vector<std::filesystem::path> folders_in(const std::filesystem::path& folder,
                                                            const std::string& operation);

/// The files of a folder with an image's extension (.jpg, .jpeg, .png), sorted by name.
///
/// Throws: EnvironmentError if it cannot be read; `operation` opens the message.
[[nodiscard]] std::vector<std::filesystem::path> pictures_in(const std::filesystem::path& folder,
                                                             const std::string& operation);

/// Whether a picture's name has the extension of a JPEG file.
[[nodiscard]] bool is_jpeg_name(const std::filesystem::path& file);

/// Reads an image according to its extension: PNG or JPEG.
///
/// Throws: EnvironmentError if it cannot be read.
[[nodiscard]] io::Image read_picture(const std::filesystem::path& file);

}  // namespace ddx::data::detail
