#include "ddx/data/sets/cifar10.h"

#include "ddx/data/labelled_images.h"

#include "data/sets/detail/cifar_records.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace ddx::data {
namespace {

constexpr std::uint8_t greatest_label[] = {9};

void append(LabelledImages& into, const LabelledImages& from) {
  into.pixels.insert(into.pixels.end(), from.pixels.begin(), from.pixels.end());
  into.labels.insert(into.labels.end(), from.labels.begin(), from.labels.end());
}

}  // namespace

LabelledImages read_cifar10_file(const std::filesystem::path& file) {
  return detail::read_cifar_records(file,
                                    {.operation = "read_cifar10", .greatest = greatest_label});
}

LabelledImageSets read_cifar10(const std::filesystem::path& folder) {
  LabelledImageSets sets;
  sets.training = read_cifar10_file(detail::find_cifar_file(folder, "data_batch_1"));
  for (int part = 2; part <= 5; ++part) {
    const auto file = detail::find_cifar_file(folder, "data_batch_" + std::to_string(part));
    if (std::filesystem::exists(file)) {
      append(sets.training, read_cifar10_file(file));
    }
  }
  sets.test = read_cifar10_file(detail::find_cifar_file(folder, "test_batch"));
  return sets;
}

}  // namespace ddx::data
