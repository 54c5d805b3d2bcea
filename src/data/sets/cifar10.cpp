#include "ddx/data/sets/cifar10.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/file.h"
#include "ddx/data/labelled_images.h"

#include "data/sets/detail/cifar_records.h"

#include <cstdint>
#include <filesystem>
#include <new>
#include <string>

namespace ddx::data {
namespace {

constexpr auto cifar10_operation = "read_cifar10";
constexpr std::uint8_t greatest_label[] = {9};

void append(LabelledImages& into, const LabelledImages& from) {
  into.pixels.insert(into.pixels.end(), from.pixels.begin(), from.pixels.end());
  into.labels.insert(into.labels.end(), from.labels.begin(), from.labels.end());
}

}  // namespace

LabelledImages read_cifar10_file(const std::filesystem::path& file) try {
  return detail::read_cifar_records(file,
                                    {.operation = cifar10_operation, .greatest = greatest_label});
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("read_cifar10_file");
}

LabelledImageSets read_cifar10(const std::filesystem::path& folder) try {
  const auto find = [&](const std::string& name) {
    return detail::find_cifar_file(folder, name, cifar10_operation);
  };
  LabelledImageSets sets;
  sets.training = read_cifar10_file(find("data_batch_1"));
  for (int part = 2; part <= 5; ++part) {
    const auto file = find("data_batch_" + std::to_string(part));
    if (file_exists(file, cifar10_operation)) {
      append(sets.training, read_cifar10_file(file));
    }
  }
  sets.test = read_cifar10_file(find("test_batch"));
  return sets;
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("read_cifar10");
}

}  // namespace ddx::data
