/// \file
/// The files of MNIST, and of the sets in its form.

#pragma once

#include "ddx/data/labelled_images.h"

#include <filesystem>
#include <string>

namespace ddx::data::detail {

/// Reads images and labels, 0 to 9, from four IDX files, each compressed or not.
///
/// Throws:  EnvironmentError as read_mnist; `operation` opens the message.
[[nodiscard]] LabelledImageSets read_mnist_files(const std::filesystem::path& folder,
                                                 const std::string& operation);

}  // namespace ddx::data::detail
