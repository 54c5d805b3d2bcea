/// \file
/// Kuzushiji-MNIST: cursive Japanese characters in the format of MNIST.

#pragma once

#include "ddx/data/labelled_images.h"

#include <array>
#include <filesystem>
#include <string_view>

namespace ddx::data {

/// The sound of the characters labelled 0 to 9.
inline constexpr std::array<std::string_view, 10> kuzushiji_mnist_classes = {
    "o", "ki", "su", "tsu", "na", "ha", "ma", "ya", "re", "wo"};

/// Reads the four IDX files of Kuzushiji-MNIST from a folder, each compressed (`.gz`) or not.
///
/// Throws:  EnvironmentError as read_mnist.
/// Source:  T. Clanuwat, M. Bober-Irizar, A. Kitamoto, A. Lamb, K. Yamamoto, D. Ha, "Deep learning
///          for classical Japanese literature" (2018), https://github.com/rois-codh/kmnist.
[[nodiscard]] LabelledImageSets read_kuzushiji_mnist(const std::filesystem::path& folder);

}  // namespace ddx::data
