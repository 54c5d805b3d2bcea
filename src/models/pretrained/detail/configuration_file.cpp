#include "ddx/models/pretrained/detail/configuration_file.h"

#include "ddx/core/dtype.h"
#include "ddx/io/atomic_file.h"
#include "ddx/io/stored_tensor.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace ddx::models::detail {

DType floating_dtype(const io::StoredTensors& arrays) {
  for (const auto& [name, array] : arrays) {
    if (info(array.dtype).kind == DTypeKind::Float) {
      return array.dtype;
    }
  }
  return DType::f32;
}

void write_configuration(const std::filesystem::path& folder, const std::string& text) {
  io::write_file_atomically(folder / "config.json",
                            {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()},
                            "save_pretrained");
}

}  // namespace ddx::models::detail
