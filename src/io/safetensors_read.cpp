#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/error.h"
#include "ddx/core/input_file.h"
#include "ddx/io/safetensors.h"

#include "io/detail/safetensors_layout.h"
#include "io/detail/stated_checksum.h"

#include <cstdint>
#include <filesystem>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace ddx::io {

TensorFile read_safetensors(const std::filesystem::path& file,
                            const SafetensorsReadOptions& options) try {
  const InputFile input(file, "read_safetensors");
  const auto refuse = [&](const std::string& facts) {
    throw EnvironmentError("read_safetensors", file.string() + ": " + facts);
  };
  // The whole header is checked before memory is taken for an array.
  auto layout = detail::read_safetensors_layout(
      input, file.string(),
      {.bytes = options.max_header_bytes, .option = "SafetensorsReadOptions::max_header_bytes"},
      refuse);
  detail::StatedChecksum sum(layout.header, options.checksum, refuse);
  for (const auto& [name, entry] : layout.header.entries) {
    auto& array = layout.arrays.at(name);
    const bool is_kept = array.obstacle.empty();
    if (!is_kept && !sum.is_compared()) {
      continue;
    }
    std::vector<std::uint8_t> bytes(entry.offsets[1] - entry.offsets[0]);
    input.read_at(layout.data_begin + entry.offsets[0], bytes);
    sum.add(name, entry, bytes);
    detail::check_safetensors_bytes(name, array.dtype, bytes, refuse);
    if (is_kept) {
      array.bytes = std::move(bytes);
    }
  }
  sum.compare(refuse);
  return {std::move(layout.arrays), detail::remarks_of(std::move(layout.header))};
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("read_safetensors");
}

}  // namespace ddx::io
