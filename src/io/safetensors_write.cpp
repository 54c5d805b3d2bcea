#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/io/atomic_file.h"
#include "ddx/io/safetensors.h"

#include "io/detail/content_checksum.h"
#include "io/detail/safetensors_names.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <new>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ddx::io {
namespace {

void check(const std::string& name, const StoredTensor& tensor) {
  if (!tensor.obstacle.empty()) {
    throw UsageError("write_safetensors", tensor.obstacle);
  }
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

std::map<std::string, std::string> with_checksum(const TensorFile& content) {
  detail::ContentChecksum sum;
  sum.add_remarks(content.metadata);
  for (const auto& [name, tensor] : content.tensors) {
    const auto extents = tensor.shape.extents();
    sum.add_array(name, detail::safetensors_name(tensor.dtype),
                  std::vector<std::uint64_t>(extents.begin(), extents.end()));
    sum.add_bytes(tensor.bytes);
  }
  auto metadata = content.metadata;
  metadata.emplace(detail::checksum_name, sum.text());
  metadata.emplace(detail::covered_name, detail::covered);
  return metadata;
}

void check_remarks(const std::map<std::string, std::string>& metadata) {
  for (const auto name : {detail::checksum_name, detail::covered_name}) {
    if (metadata.contains(std::string(name))) {
      throw UsageError("write_safetensors",
                       "the remark \"" + std::string(name) + "\" is that of the checksum");
    }
  }
}

std::string json_of(const std::string& text) {
  try {
    return nlohmann::json(text).dump();
  } catch (const nlohmann::json::exception&) {
    throw UsageError("write_safetensors", "a name or remark is not UTF-8");
  }
}

/// A JSON object of values that are JSON.
std::string object_of(const std::map<std::string, std::string>& values) {
  std::string text = "{";
  for (const auto& [name, value] : values) {
    text += (text.size() == 1 ? "" : ",") + json_of(name) + ":" + value;
  }
  return text + "}";
}

}  // namespace

void write_safetensors(const std::filesystem::path& file, const TensorFile& content,
                       const SafetensorsWriteOptions& options) try {
  check_remarks(content.metadata);
  // By their names, in the order of the file. Not one JSON value: its destructor allocates.
  std::map<std::string, std::string> header;
  std::size_t offset = 0;
  for (const auto& [name, tensor] : content.tensors) {
    check(name, tensor);
    if (detail::safetensors_name(tensor.dtype).empty()) {
      throw UsageError("write_safetensors", name + ": the format has no element type for " +
                                                std::string(to_string(tensor.dtype)));
    }
    const auto extents = tensor.shape.extents();
    const std::size_t end = offset + tensor.bytes.size();
    std::string shape;
    for (const auto extent : extents) {
      shape += (shape.empty() ? "" : ",") + std::to_string(extent);
    }
    header[name] = "{\"data_offsets\":[" + std::to_string(offset) + "," + std::to_string(end) +
                   "],\"dtype\":" + json_of(std::string(detail::safetensors_name(tensor.dtype))) +
                   ",\"shape\":[" + shape + "]}";
    offset = end;
  }
  auto metadata = options.checksum ? with_checksum(content) : content.metadata;
  if (!metadata.empty()) {
    for (auto& [name, remark] : metadata) {
      remark = json_of(remark);
    }
    header[std::string(detail::metadata_name)] = object_of(metadata);
  }
  std::string text = object_of(header);
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
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("write_safetensors");
}

}  // namespace ddx::io
