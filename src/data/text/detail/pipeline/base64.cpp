#include "data/text/detail/pipeline/base64.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace ddx::data::detail {

std::optional<std::vector<std::uint8_t>> bytes_of_base64(std::string_view text) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  constexpr std::size_t digits_in_group = 4;
  if (text.size() % digits_in_group != 0) {
    return std::nullopt;
  }
  while (text.ends_with('=') && text.size() % digits_in_group != 2) {
    text.remove_suffix(1);
  }
  std::vector<std::uint8_t> bytes;
  bytes.reserve(text.size() / digits_in_group * 3 + 2);
  std::uint32_t bits = 0;
  std::size_t count = 0;
  for (const char letter : text) {
    const auto digit = digits.find(letter);
    if (digit == std::string_view::npos) {
      return std::nullopt;
    }
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes.push_back(static_cast<std::uint8_t>(bits >> count));
    }
  }
  const bool has_rest = (bits & ((std::uint32_t{1} << count) - 1)) != 0;
  return has_rest ? std::nullopt : std::optional(bytes);
}

}  // namespace ddx::data::detail
