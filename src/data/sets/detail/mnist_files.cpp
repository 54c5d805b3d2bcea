#include "data/sets/detail/mnist_files.h"

#include "ddx/core/error.h"
#include "ddx/core/file.h"
#include "ddx/data/idx.h"
#include "ddx/data/labelled_images.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>

namespace ddx::data::detail {
namespace {

constexpr std::size_t idx_header_of_labels = 8;

/// The file as published, or its uncompressed sibling where only that exists.
std::filesystem::path find(const std::filesystem::path& folder, const std::string& name,
                           const std::string& operation) {
  const auto plain = folder / name;
  const auto compressed = folder / (name + ".gz");
  return !file_exists(compressed, operation) && file_exists(plain, operation) ? plain : compressed;
}

LabelledImages read_part(const std::filesystem::path& folder, const std::string& prefix,
                         const std::string& operation) {
  const auto image_file = find(folder, prefix + "-images-idx3-ubyte", operation);
  const auto label_file = find(folder, prefix + "-labels-idx1-ubyte", operation);
  auto images = read_idx(image_file, 3);
  auto labels = read_idx(label_file, 1);
  if (images.extents[0] != labels.extents[0]) {
    throw EnvironmentError(operation, label_file.string() + ": " +
                                          std::to_string(labels.extents[0]) + " labels for " +
                                          std::to_string(images.extents[0]) + " images");
  }
  if (images.values.empty()) {
    throw EnvironmentError(operation, image_file.string() + ": the set is empty");
  }
  for (std::size_t i = 0; i < labels.values.size(); ++i) {
    if (labels.values[i] > 9) {
      throw EnvironmentError(operation, label_file.string() + ", byte " +
                                            std::to_string(idx_header_of_labels + i) +
                                            ": label is " + std::to_string(labels.values[i]) +
                                            ", at most 9 is expected");
    }
  }
  return {.height = images.extents[1],
          .width = images.extents[2],
          .channels = 1,
          .pixels = std::move(images.values),
          .labels = std::move(labels.values)};
}

}  // namespace

LabelledImageSets read_mnist_files(const std::filesystem::path& folder,
                                   const std::string& operation) {
  return {.training = read_part(folder, "train", operation),
          .test = read_part(folder, "t10k", operation)};
}

}  // namespace ddx::data::detail
