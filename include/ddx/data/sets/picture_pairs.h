/// \file
/// Images of two domains, for image-to-image models.

#pragma once

#include "ddx/io/image.h"

#include <filesystem>
#include <utility>
#include <vector>

namespace ddx::data {

/// The image files of two domains, each sorted by name.
struct TwoKinds {
  std::vector<std::filesystem::path> first;
  std::vector<std::filesystem::path> second;

  friend bool operator==(const TwoKinds&, const TwoKinds&) = default;
};

/// Training and test images of two domains.
struct TwoKindsSets {
  TwoKinds training;
  TwoKinds test;
};

/// Lists `trainA`, `trainB`, `testA` and `testB` of a folder of CycleGAN's sets, such as
/// horse2zebra. The domains are not paired.
///
/// Throws:  EnvironmentError if a folder cannot be read or has no picture.
/// Source:  J.-Y. Zhu, T. Park, P. Isola, A. Efros, "Unpaired image-to-image translation using
///          cycle-consistent adversarial networks", ICCV 2017.
[[nodiscard]] TwoKindsSets read_two_kinds(const std::filesystem::path& folder);

/// The same for paired sets, in which file names match: element i of `first` belongs to element i
/// of `second`.
///
/// Throws:  EnvironmentError as read_two_kinds, and where the names of one kind, without their
///          endings, are not those of the other.
[[nodiscard]] TwoKindsSets read_picture_pairs(const std::filesystem::path& folder);

/// The left and the right half of an image: facades, maps and the other sets of pix2pix have the
/// two domains side by side in one file.
///
/// Throws:  UsageError if the width is odd or 0.
/// Source:  P. Isola, J.-Y. Zhu, T. Zhou, A. Efros, "Image-to-image translation with conditional
///          adversarial networks", CVPR 2017.
[[nodiscard]] std::pair<io::Image, io::Image> halves(const io::Image& picture);

}  // namespace ddx::data
