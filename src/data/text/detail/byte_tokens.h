/// \file
/// Tokens that represent a byte: <0x00> to <0xFF>.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ddx::data::detail {

/// The token of a byte: "<0x0A>".
[[nodiscard]] std::string byte_token(std::uint8_t byte);

/// The byte of such a token, with digits of either case; none for another one.
[[nodiscard]] std::optional<std::uint8_t> byte_of_token(std::string_view token) noexcept;

}  // namespace ddx::data::detail
