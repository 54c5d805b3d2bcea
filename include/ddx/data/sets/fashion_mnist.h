/// \file
/// Fashion-MNIST: images of clothes in the format of MNIST.

#pragma once

#include "ddx/data/labelled_images.h"

#include <array>
#include <filesystem>
#include <string_view>

namespace ddx::data {

/// The meaning of the labels 0 to 9.
inline constexpr std::array<std::string_view, 10> fashion_mnist_classes = {
    "T-shirt/top", "Trouser", "Pullover", "Dress", "Coat",
    "Sandal",      "Shirt",   "Sneaker",  "Bag",   "Ankle boot"};

/// Reads the four IDX files of Fashion-MNIST from a folder, each compressed (`.gz`) or not.
///
/// Throws:  EnvironmentError as read_mnist.
/// Source:  H. Xiao, K. Rasul, R. Vollgraf, "Fashion-MNIST" (2017),
///          https://github.com/zalandoresearch/fashion-mnist.
[[nodiscard]] LabelledImageSets read_fashion_mnist(const std::filesystem::path& folder);

}  // namespace ddx::data
