#include "ddx/io/atomic_file.h"

#include "ddx/core/detail/out_of_memory.h"

#include "io/detail/prepared_file.h"

#include <cstdint>
#include <filesystem>
#include <new>
#include <span>
#include <string>

namespace ddx::io {

void write_file_atomically(const std::filesystem::path& file, std::span<const std::uint8_t> bytes,
                           const std::string& operation) try {
  detail::PreparedFile(file, {bytes}, operation).publish();
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory(operation);
}

}  // namespace ddx::io
