/// \file
/// Values of JSON whose memory is bounded while they are read.

#pragma once

#include "io/detail/json_value.h"
#include "io/detail/refusal.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace ddx::io::detail {

/// How much a text of JSON may grow.
struct JsonLimits {
  std::uint64_t max_bytes;  ///< Of its values in memory.
  std::string option;       ///< The option that sets the limit.
  std::size_t max_depth = 32;
  bool has_unique_names = false;  ///< Whether equal names in one object are refused.
};

/// The values of a text; of equal names in one object the last counts, unless they are refused.
/// `refuse` is called with what is wrong with the text, and throws.
///
/// Cost:    that of nlohmann's own parser. (Its callback for each value costs time in the square
///          of the length of a list.)
[[nodiscard]] JsonValue parse_bounded_json(std::span<const std::uint8_t> text,
                                           const JsonLimits& limits, const Refusal& refuse);

}  // namespace ddx::io::detail
