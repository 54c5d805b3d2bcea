#include "ddx/io/torch_file.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/io/stored_tensor.h"

#include "io/detail/torch/torch_archive.h"

#include <filesystem>
#include <new>

namespace ddx::io {

StoredTensors read_torch(const std::filesystem::path& file, const TorchReadOptions& options) try {
  return detail::TorchArchive(file, options).read_all();
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("read_torch");
}

}  // namespace ddx::io
