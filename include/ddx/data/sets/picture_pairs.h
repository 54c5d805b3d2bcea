/// \file
/// Pictures of two kinds, for models that turn one into the other.

#pragma once

#include "ddx/io/image.h"

#include <filesystem>
#include <utility>
#include <vector>

namespace ddx::data {

/// The files of pictures of two kinds, each sorted by name.
struct TwoKinds {
  std::vector<std::filesystem::path> first;
  std::vector<std::filesystem::path> second;

  friend bool operator==(const TwoKinds&, const TwoKinds&) = default;
};

/// Training and test pictures of two kinds.
struct TwoKindsSets {
  TwoKinds training;
  TwoKinds test;
};

/// Lists `trainA`, `trainB`, `testA` and `testB` of a folder of CycleGAN's sets, such as
/// horse2zebra. The kinds are not in pairs.
///
/// Throws:  EnvironmentError if a folder cannot be read or has no picture.
/// Source:  J.-Y. Zhu, T. Park, P. Isola, A. Efros, "Unpaired image-to-image translation using
///          cycle-consistent adversarial networks", ICCV 2017.
[[nodiscard]] TwoKindsSets read_two_kinds(const std::filesystem::path& folder);

/// The same where the names of the files join the pictures to pairs: each place of `first` belongs
/// to that of `second`.
///
/// Throws:  EnvironmentError as read_two_kinds, and where the names of one kind, without their
///          endings, are not those of the other.
[[nodiscard]] TwoKindsSets read_picture_pairs(const std::filesystem::path& folder);

/// The left and the right half of a picture: facades, maps and the other sets of pix2pix have the
/// two kinds side by side in one file.
///
/// Throws:  UsageError if the width is odd or 0.
/// Source:  P. Isola, J.-Y. Zhu, T. Zhou, A. Efros, "Image-to-image translation with conditional
///          adversarial networks", CVPR 2017.
[[nodiscard]] std::pair<io::Image, io::Image> halves(const io::Image& picture);

}  // namespace ddx::data
