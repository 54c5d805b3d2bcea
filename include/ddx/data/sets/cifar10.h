/// \file
/// The CIFAR-10 set of small colour images.

#pragma once

#include "ddx/data/labelled_images.h"

#include <filesystem>

namespace ddx::data {

/// Reads one file of CIFAR-10 binary records, compressed with gzip or not; pixels are returned as
/// [count, 32, 32, 3] although the file stores them in planes.
///
/// Throws:  EnvironmentError if the file cannot be read, is damaged, is empty, ends inside a
///          record, or has a label above 9. Names the file and the offset.
/// Source:  A. Krizhevsky, "Learning multiple layers of features from tiny images" (2009),
///          https://www.cs.toronto.edu/~kriz/cifar.html.
[[nodiscard]] LabelledImages read_cifar10_file(const std::filesystem::path& file);

/// Reads `data_batch_1` to `data_batch_5` (as many as exist, at least the first) and `test_batch`,
/// each `.bin` or `.bin.gz`, from a folder.
///
/// Throws:  EnvironmentError as read_cifar10_file.
[[nodiscard]] LabelledImageSets read_cifar10(const std::filesystem::path& folder);

}  // namespace ddx::data
