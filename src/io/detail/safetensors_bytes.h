/// \file
/// The bytes of safetensors files, without copies of those of the arrays.

#pragma once

#include "ddx/io/stored_tensor.h"

#include "io/detail/prepared_file.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ddx::io::detail {

/// Arrays of one file, in the order of their names.
using ArrayList = std::vector<const StoredTensors::value_type*>;

/// What precedes the bytes of these arrays in their file: the length of the header and the header.
///
/// Throws: UsageError as write_safetensors; `operation` opens the message.
[[nodiscard]] std::vector<std::uint8_t> safetensors_head(
    const ArrayList& arrays, const std::map<std::string, std::string>& metadata, bool checksum,
    const std::string& operation);

/// The parts of the file: the head and the bytes of each array.
[[nodiscard]] FileParts safetensors_parts(const std::vector<std::uint8_t>& head,
                                          const ArrayList& arrays);

/// A text as JSON.
///
/// Throws: UsageError where it is not UTF-8.
[[nodiscard]] std::string json_text(const std::string& text, const std::string& operation);

}  // namespace ddx::io::detail
