/// \file
/// The Oxford-IIIT Pets: cats and dogs by breed, with segmentations.

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace ddx::data {

/// The class of a pixel.
enum class PetPoint : std::uint8_t { Pet, Background, Border };

/// The classes of all pixels, row by row.
struct Trimap {
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::vector<PetPoint> points;

  friend bool operator==(const Trimap&, const Trimap&) = default;
};

/// One image of a pet.
struct PetPicture {
  std::filesystem::path picture;  ///< A JPEG file.
  std::filesystem::path trimap;   ///< A PNG file, for read_trimap.
  std::int32_t breed = 0;         ///< 0 to 36.
  bool is_dog = false;            ///< Otherwise it is a cat.

  friend bool operator==(const PetPicture&, const PetPicture&) = default;
};

/// The images for training and for tests.
struct OxfordPets {
  std::vector<PetPicture> training;
  std::vector<PetPicture> test;
};

/// Lists the images of a folder with `images/` and `annotations/` (`trainval.txt`, `test.txt`,
/// `trimaps/`). No image is opened.
///
/// Throws:  EnvironmentError if a list cannot be read, or a line of it has another form than "NAME
///          BREED SPECIES NUMBER"; names file and line.
/// Source:  O. Parkhi, A. Vedaldi, A. Zisserman, C. Jawahar, "Cats and dogs", CVPR 2012,
///          https://www.robots.ox.ac.uk/~vgg/data/pets.
[[nodiscard]] OxfordPets read_oxford_pets(const std::filesystem::path& folder);

/// Reads a trimap: a PNG file of greys 1 (pet), 2 (background) and 3 (border).
///
/// Throws:  EnvironmentError if the file cannot be read, or a point is another; names it.
[[nodiscard]] Trimap read_trimap(const std::filesystem::path& file);

}  // namespace ddx::data
