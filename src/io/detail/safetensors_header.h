/// \file
/// The header of a safetensors file.

#pragma once

#include "io/detail/refusal.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace ddx::io::detail {

/// What a header says of one array. `shape` has at most Shape::max_rank extents.
struct SafetensorsEntry {
  std::string dtype;
  std::vector<std::uint64_t> shape;
  std::vector<std::uint64_t> offsets;  ///< Of its first byte and behind its last, in the data.
};

/// The header: arrays and remarks, by name.
struct SafetensorsHeader {
  std::map<std::string, SafetensorsEntry> entries;
  std::map<std::string, std::string> metadata;
};

/// Reads the text of a header, which begins at byte `start` of its file. Takes exactly what the
/// format says and nothing besides, so that no more memory is used than the entries take; `refuse`
/// is called with what is wrong, and throws.
[[nodiscard]] SafetensorsHeader parse_safetensors_header(std::span<const std::uint8_t> text,
                                                         std::size_t start, const Refusal& refuse);

/// "[2,3]".
[[nodiscard]] std::string list_text(std::span<const std::uint64_t> numbers);

}  // namespace ddx::io::detail
