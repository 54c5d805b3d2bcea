#include "ddx/data/sets/kuzushiji_mnist.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/data/labelled_images.h"

#include "data/sets/detail/mnist_files.h"

#include <filesystem>
#include <new>

namespace ddx::data {

LabelledImageSets read_kuzushiji_mnist(const std::filesystem::path& folder) try {
  return detail::read_mnist_files(folder, "read_kuzushiji_mnist");
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("read_kuzushiji_mnist");
}

}  // namespace ddx::data
