#include "ddx/core/detail/out_of_memory.h"
#include "ddx/io/safetensors.h"

#include "io/detail/prepared_file.h"
#include "io/detail/safetensors_bytes.h"

#include <filesystem>
#include <new>

namespace ddx::io {

void write_safetensors(const std::filesystem::path& file, const TensorFile& content,
                       const SafetensorsWriteOptions& options) try {
  detail::ArrayList arrays;
  for (const auto& array : content.tensors) {
    arrays.push_back(&array);
  }
  const auto head =
      detail::safetensors_head(arrays, content.metadata, options.checksum, "write_safetensors");
  detail::PreparedFile(file, detail::safetensors_parts(head, arrays), "write_safetensors")
      .publish();
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("write_safetensors");
}

}  // namespace ddx::io
