#include "io/detail/safetensors_bytes.h"

#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/io/stored_tensor.h"

#include "io/detail/content_checksum.h"
#include "io/detail/prepared_file.h"
#include "io/detail/safetensors_names.h"
#include "io/detail/stored_shape.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ddx::io::detail {
namespace {

void check(const std::string& name, const StoredTensor& tensor, const std::string& operation) {
  check_byte_count(tensor, operation, "array \"" + name + "\"");
  if (name == metadata_name) {
    throw UsageError(operation, "no array may be named \"" + name + "\"");
  }
  if (safetensors_name(tensor.dtype).empty()) {
    throw UsageError(operation, name + ": the format has no element type for " +
                                    std::string(to_string(tensor.dtype)));
  }
}

std::map<std::string, std::string> with_checksum(
    const ArrayList& arrays, const std::map<std::string, std::string>& metadata) {
  ContentChecksum sum;
  sum.add_remarks(metadata);
  for (const auto* const array : arrays) {
    const auto& [name, tensor] = *array;
    const auto extents = tensor.shape.extents();
    sum.add_array(name, safetensors_name(tensor.dtype),
                  std::vector<std::uint64_t>(extents.begin(), extents.end()));
    sum.add_bytes(tensor.bytes);
  }
  auto result = metadata;
  result.emplace(checksum_name, sum.text());
  result.emplace(covered_name, covered);
  return result;
}

void check_remarks(const std::map<std::string, std::string>& metadata,
                   const std::string& operation) {
  for (const auto name : {checksum_name, covered_name}) {
    if (metadata.contains(std::string(name))) {
      throw UsageError(operation,
                       "the remark \"" + std::string(name) + "\" is that of the checksum");
    }
  }
}

/// A JSON object of values that are JSON.
std::string object_of(const std::map<std::string, std::string>& values,
                      const std::string& operation) {
  std::string text = "{";
  for (const auto& [name, value] : values) {
    text += (text.size() == 1 ? "" : ",") + json_text(name, operation) + ":" + value;
  }
  return text + "}";
}

/// The entry of an array whose bytes begin there.
std::string entry_of(const StoredTensor& tensor, std::size_t offset) {
  std::string shape;
  for (const auto extent : tensor.shape.extents()) {
    shape += (shape.empty() ? "" : ",") + std::to_string(extent);
  }
  return "{\"data_offsets\":[" + std::to_string(offset) + "," +
         std::to_string(offset + tensor.bytes.size()) + "],\"dtype\":\"" +
         std::string(safetensors_name(tensor.dtype)) + "\",\"shape\":[" + shape + "]}";
}

}  // namespace

std::string json_text(const std::string& text, const std::string& operation) {
  try {
    return nlohmann::json(text).dump();
  } catch (const nlohmann::json::exception&) {
    throw UsageError(operation, "a name or remark is not UTF-8");
  }
}

std::vector<std::uint8_t> safetensors_head(const ArrayList& arrays,
                                           const std::map<std::string, std::string>& metadata,
                                           bool checksum, const std::string& operation) {
  check_remarks(metadata, operation);
  // By their names, in the order of the file. Not one JSON value: its destructor allocates.
  std::map<std::string, std::string> header;
  std::size_t offset = 0;
  for (const auto* const array : arrays) {
    const auto& [name, tensor] = *array;
    check(name, tensor, operation);
    header[name] = entry_of(tensor, offset);
    offset += tensor.bytes.size();
  }
  auto remarks = checksum ? with_checksum(arrays, metadata) : metadata;
  if (!remarks.empty()) {
    for (auto& [name, remark] : remarks) {
      remark = json_text(remark, operation);
    }
    header[std::string(metadata_name)] = object_of(remarks, operation);
  }
  std::string text = object_of(header, operation);
  // The format allows trailing spaces; they align the data for readers that map the file.
  text.append((8 - text.size() % 8) % 8, ' ');
  std::vector<std::uint8_t> bytes;
  bytes.reserve(8 + text.size());
  for (int shift = 0; shift < 64; shift += 8) {
    bytes.push_back(static_cast<std::uint8_t>(std::uint64_t{text.size()} >> shift));
  }
  bytes.insert(bytes.end(), text.begin(), text.end());
  return bytes;
}

FileParts safetensors_parts(const std::vector<std::uint8_t>& head, const ArrayList& arrays) {
  FileParts parts = {head};
  for (const auto* const array : arrays) {
    parts.emplace_back(array->second.bytes);
  }
  return parts;
}

}  // namespace ddx::io::detail
