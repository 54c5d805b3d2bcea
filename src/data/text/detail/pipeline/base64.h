/// \file
/// Bytes as text.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace ddx::data::detail {

/// The bytes of a text in base64; none where it is no such text.
///
/// Source:  RFC 4648, section 4.
[[nodiscard]] std::optional<std::vector<std::uint8_t>> bytes_of_base64(std::string_view text);

}  // namespace ddx::data::detail
