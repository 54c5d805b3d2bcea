#include "ddx/data/sets/cifar100.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/data/labelled_images.h"

#include "data/sets/detail/cifar_records.h"

#include <cstdint>
#include <filesystem>
#include <new>

namespace ddx::data {
namespace {

constexpr std::uint8_t greatest_labels[] = {19, 99};  // coarse, fine

}  // namespace

LabelledImageSets read_cifar100(const std::filesystem::path& folder, Cifar100Label label) try {
  const detail::CifarForm form{.operation = "read_cifar100",
                               .greatest = greatest_labels,
                               .chosen = label == Cifar100Label::Coarse ? 0U : 1U};
  return {.training = detail::read_cifar_records(
              detail::find_cifar_file(folder, "train", form.operation), form),
          .test = detail::read_cifar_records(
              detail::find_cifar_file(folder, "test", form.operation), form)};
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("read_cifar100");
}

}  // namespace ddx::data
