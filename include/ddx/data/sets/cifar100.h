/// \file
/// The CIFAR-100 set of small colour images.

#pragma once

#include "ddx/data/labelled_images.h"

#include <cstdint>
#include <filesystem>

namespace ddx::data {

/// Which of an image's two labels to use: one of 100 classes, or one of 20 groups of them.
enum class Cifar100Label : std::uint8_t { Fine, Coarse };

/// Reads `train` and `test`, each `.bin` or `.bin.gz`, from a folder; pixels are returned as
/// [count, 32, 32, 3] although the files store them in planes.
///
/// Throws:  EnvironmentError if a file cannot be read, is damaged, is empty, ends inside a record,
///          or has a label above 19 (coarse) or 99 (fine). Names the file and the offset.
/// Source:  A. Krizhevsky, "Learning multiple layers of features from tiny images" (2009),
///          https://www.cs.toronto.edu/~kriz/cifar.html.
[[nodiscard]] LabelledImageSets read_cifar100(const std::filesystem::path& folder,
                                              Cifar100Label label = Cifar100Label::Fine);

}  // namespace ddx::data
