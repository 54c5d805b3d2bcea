/// \file
/// The MNIST database of handwritten digits.

#pragma once

#include "ddx/data/labelled_images.h"

#include <filesystem>

namespace ddx::data {

/// Reads the four IDX files of MNIST from a folder, each compressed (`.gz`) or not.
///
/// Throws:  EnvironmentError if a file is missing or damaged, where images and labels differ in
///          number, where a set is empty, or if a label is above 9. Names the file and the offset.
[[nodiscard]] LabelledImageSets read_mnist(const std::filesystem::path& folder);

}  // namespace ddx::data
