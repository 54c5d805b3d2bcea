#include "ddx/data/sets/oxford_pets.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/error.h"
#include "ddx/data/detail/lines.h"
#include "ddx/io/png.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <new>
#include <string>
#include <vector>

namespace ddx::data {
namespace {

constexpr std::int32_t breeds = 37;

std::vector<PetPicture> read_list(const std::filesystem::path& folder, const char* name) {
  detail::Lines lines(folder / "annotations" / name, "read_oxford_pets");
  std::vector<PetPicture> pictures;
  while (lines.next()) {
    if (lines.text().starts_with('#')) {
      continue;
    }
    const auto cells = lines.cells(" ", 4);
    const auto breed = lines.number_in<std::int32_t>(cells[1], "the breed");
    const auto species = lines.number_in<std::int32_t>(cells[2], "the species");
    if (breed < 1 || breed > breeds || species < 1 || species > 2) {
      lines.fail("breed " + std::to_string(breed) + " of species " + std::to_string(species) +
                 "; there are breeds 1 to 37 of species 1 and 2");
    }
    const std::string picture(cells[0]);
    pictures.push_back({.picture = folder / "images" / (picture + ".jpg"),
                        .trimap = folder / "annotations" / "trimaps" / (picture + ".png"),
                        .breed = breed - 1,
                        .is_dog = species == 2});
  }
  return pictures;
}

}  // namespace

OxfordPets read_oxford_pets(const std::filesystem::path& folder) try {
  return {.training = read_list(folder, "trainval.txt"), .test = read_list(folder, "test.txt")};
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("read_oxford_pets");
}

Trimap read_trimap(const std::filesystem::path& file) try {
  const auto image = io::read_png(file);
  Trimap trimap{.height = static_cast<std::int64_t>(image.height()),
                .width = static_cast<std::int64_t>(image.width()),
                .points = {}};
  trimap.points.reserve(image.points().size());
  for (std::size_t i = 0; i < image.points().size(); ++i) {
    const auto point = image.points()[i];
    if (point.red < 1 || point.red > 3 || point.green != point.red || point.blue != point.red) {
      throw EnvironmentError(
          "read_trimap", file.string() + ": point " + std::to_string(i % image.width()) +
                             " of row " + std::to_string(i / image.width()) + " is (" +
                             std::to_string(point.red) + ", " + std::to_string(point.green) + ", " +
                             std::to_string(point.blue) + "), not a grey of 1, 2 or 3");
    }
    trimap.points.push_back(static_cast<PetPoint>(point.red - 1));
  }
  return trimap;
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("read_trimap");
}

}  // namespace ddx::data
