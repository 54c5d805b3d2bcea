/// \file
/// Values of JSON whose memory is bounded while they are read.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

namespace ddx::data::detail {

/// How much a text of JSON may grow.
struct JsonLimits {
  std::uint64_t max_bytes;  ///< Of its values in memory.
  std::string option;       ///< The option that sets the limit.
  std::size_t max_depth = 32;
};

/// The values of a text; of equal names in one object the last counts. `refuse` gets what is wrong
/// with the text, and throws.
///
/// Cost:    that of nlohmann's own parser. (Its callback for each value costs time in the square
///          of the length of a list.)
[[nodiscard]] nlohmann::json parse_bounded_json(
    std::span<const std::uint8_t> text, const JsonLimits& limits,
    const std::function<void(const std::string& facts)>& refuse);

}  // namespace ddx::data::detail
