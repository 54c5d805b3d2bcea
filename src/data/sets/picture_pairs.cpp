#include "ddx/data/sets/picture_pairs.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/error.h"
#include "ddx/data/detail/picture_files.h"
#include "ddx/io/image.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace ddx::data {
namespace {

std::vector<std::filesystem::path> listed(const std::filesystem::path& folder,
                                          const std::string& operation) {
  auto files = detail::pictures_in(folder, operation);
  if (files.empty()) {
    throw EnvironmentError(operation, folder.string() + " has no picture");
  }
  return files;
}

TwoKindsSets listed_sets(const std::filesystem::path& folder, const std::string& operation) {
  return {.training = {.first = listed(folder / "trainA", operation),
                       .second = listed(folder / "trainB", operation)},
          .test = {.first = listed(folder / "testA", operation),
                   .second = listed(folder / "testB", operation)}};
}

void check_pairs(const TwoKinds& kinds, const std::string& operation) {
  const auto count = std::max(kinds.first.size(), kinds.second.size());
  for (std::size_t i = 0; i < count; ++i) {
    const auto name = [&](const std::vector<std::filesystem::path>& files) {
      return i < files.size() ? files[i].stem().string() : std::string("none");
    };
    if (name(kinds.first) != name(kinds.second)) {
      throw EnvironmentError(operation, kinds.first[0].parent_path().string() + ": picture " +
                                            std::to_string(i) + " is " + name(kinds.first) +
                                            ", its counterpart is " + name(kinds.second));
    }
  }
}

}  // namespace

TwoKindsSets read_two_kinds(const std::filesystem::path& folder) try {
  return listed_sets(folder, "read_two_kinds");
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("read_two_kinds");
}

TwoKindsSets read_picture_pairs(const std::filesystem::path& folder) try {
  constexpr auto operation = "read_picture_pairs";
  auto sets = listed_sets(folder, operation);
  check_pairs(sets.training, operation);
  check_pairs(sets.test, operation);
  return sets;
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("read_picture_pairs");
}

std::pair<io::Image, io::Image> halves(const io::Image& picture) {
  const auto width = picture.width() / 2;
  if (width == 0 || picture.width() % 2 != 0) {
    throw UsageError("halves",
                     "a picture of " + std::to_string(picture.width()) + " points in a row");
  }
  std::pair result{io::Image(width, picture.height(), {}), io::Image(width, picture.height(), {})};
  for (std::size_t y = 0; y < picture.height(); ++y) {
    for (std::size_t x = 0; x < width; ++x) {
      result.first.set(x, y, picture.at(x, y));
      result.second.set(x, y, picture.at(x + width, y));
    }
  }
  return result;
}

}  // namespace ddx::data
