/// \file
/// The index of weights in several files.

#pragma once

#include "io/detail/refusal.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>

namespace ddx::io::detail {

/// The file of each array: a path relative to the folder of the index.
using WeightMap = std::map<std::string, std::string>;

/// Reads the text of an index; other fields than `weight_map` may hold anything. `refuse` is called
/// with what is wrong, and throws.
[[nodiscard]] WeightMap parse_weight_index(std::span<const std::uint8_t> text,
                                           const Refusal& refuse);

/// The text of an index, as the hub's library writes it.
///
/// Throws: UsageError where a name is not UTF-8.
[[nodiscard]] std::string weight_index_text(const WeightMap& files, std::uint64_t total_bytes,
                                            const std::string& operation);

}  // namespace ddx::io::detail
