#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/io/atomic_file.h"
#include "ddx/io/safetensors.h"

#include "io/detail/safetensors_names.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ddx::io {
namespace {

void check(const std::string& name, const StoredTensor& tensor) {
  const auto expected = static_cast<std::size_t>(tensor.shape.count()) * info(tensor.dtype).bytes;
  if (tensor.bytes.size() != expected) {
    throw UsageError("write_safetensors", "array \"" + name + "\" of dtype " +
                                              std::string(to_string(tensor.dtype)) + " and shape " +
                                              to_string(tensor.shape) + " takes " +
                                              std::to_string(expected) + " bytes, it has " +
                                              std::to_string(tensor.bytes.size()));
  }
  if (name == detail::metadata_name) {
    throw UsageError("write_safetensors", "no array may be named \"" + name + "\"");
  }
}

}  // namespace

void write_safetensors(const std::filesystem::path& file, const TensorFile& content) {
  nlohmann::json header = nlohmann::json::object();
  if (!content.metadata.empty()) {
    header[std::string(detail::metadata_name)] = content.metadata;
  }
  std::size_t offset = 0;
  for (const auto& [name, tensor] : content.tensors) {
    check(name, tensor);
    if (detail::safetensors_name(tensor.dtype).empty()) {
      throw UsageError("write_safetensors", name + ": the format has no element type for " +
                                                std::string(to_string(tensor.dtype)));
    }
    const auto extents = tensor.shape.extents();
    const std::size_t end = offset + tensor.bytes.size();
    header[name] = {{"dtype", detail::safetensors_name(tensor.dtype)},
                    {"shape", std::vector<std::int64_t>(extents.begin(), extents.end())},
                    {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = header.dump();
  // The format allows trailing spaces; they align the data for readers that map the file.
  text.append((8 - text.size() % 8) % 8, ' ');

  std::vector<std::uint8_t> bytes;
  bytes.reserve(8 + text.size() + offset);
  for (int shift = 0; shift < 64; shift += 8) {
    bytes.push_back(static_cast<std::uint8_t>(std::uint64_t{text.size()} >> shift));
  }
  bytes.insert(bytes.end(), text.begin(), text.end());
  for (const auto& [name, tensor] : content.tensors) {
    bytes.insert(bytes.end(), tensor.bytes.begin(), tensor.bytes.end());
  }
  write_file_atomically(file, bytes, "write_safetensors");
}

}  // namespace ddx::io
