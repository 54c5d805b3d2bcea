#include "ddx/data/sets/fashion_mnist.h"

#include "ddx/data/labelled_images.h"

#include "data/sets/detail/mnist_files.h"

#include <filesystem>

namespace ddx::data {

LabelledImageSets read_fashion_mnist(const std::filesystem::path& folder) {
  return detail::read_mnist_files(folder, "read_fashion_mnist");
}

}  // namespace ddx::data
