#include "ddx/io/npy.h"

#include "ddx/core/error.h"
#include "ddx/core/file.h"
#include "ddx/io/atomic_file.h"
#include "ddx/io/stored_tensor.h"

#include "io/detail/npy_bytes.h"

#include <filesystem>
#include <string>

namespace ddx::io {

StoredTensor read_npy(const std::filesystem::path& file) {
  return detail::decode_npy(read_file(file, "read_npy"), [&](const std::string& facts) {
    throw EnvironmentError("read_npy", file.string() + ": " + facts);
  });
}

void write_npy(const std::filesystem::path& file, const StoredTensor& array,
               const NpyWriteOptions& options) {
  write_file_atomically(file, detail::encode_npy(array, options, "write_npy", "the array"),
                        "write_npy");
}

}  // namespace ddx::io
