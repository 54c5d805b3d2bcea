#include "data/text/detail/byte_tokens.h"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ddx::data::detail {

std::string byte_token(std::uint8_t byte) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  return std::string("<0x") + digits[std::size_t{byte} / 16] + digits[byte % 16] + ">";
}

std::optional<std::uint8_t> byte_of_token(std::string_view token) noexcept {
  constexpr std::size_t length = 6;
  if (token.size() != length || !token.starts_with("<0x") || !token.ends_with('>')) {
    return std::nullopt;
  }
  std::uint8_t byte = 0;
  const char* const end = token.data() + length - 1;
  const auto [rest, error] = std::from_chars(token.data() + 3, end, byte, 16);
  return error == std::errc() && rest == end ? std::optional(byte) : std::nullopt;
}

}  // namespace ddx::data::detail
