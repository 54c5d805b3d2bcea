#include "ddx/io/npy.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/error.h"
#include "ddx/core/file.h"
#include "ddx/io/atomic_file.h"
#include "ddx/io/stored_tensor.h"

#include "io/detail/npy_bytes.h"

#include <filesystem>
#include <new>
#include <string>

namespace ddx::io {

StoredTensor read_npy(const std::filesystem::path& file) try {
  const auto refuse = [&](const std::string& facts) {
    throw EnvironmentError("read_npy", file.string() + ": " + facts);
  };
  auto array = detail::decode_npy(read_file(file, "read_npy"), refuse);
  if (!array.obstacle.empty()) {
    refuse(array.obstacle);
  }
  return array;
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("read_npy");
}

void write_npy(const std::filesystem::path& file, const StoredTensor& array,
               const NpyWriteOptions& options) try {
  write_file_atomically(file, detail::encode_npy(array, options, "write_npy", "the array"),
                        "write_npy");
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("write_npy");
}

}  // namespace ddx::io
