#include "ddx/data/sets/mnist.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/data/labelled_images.h"

#include "data/sets/detail/mnist_files.h"

#include <filesystem>
#include <new>

namespace ddx::data {

LabelledImageSets read_mnist(const std::filesystem::path& folder) try {
  return detail::read_mnist_files(folder, "read_mnist");
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("read_mnist");
}

}  // namespace ddx::data
