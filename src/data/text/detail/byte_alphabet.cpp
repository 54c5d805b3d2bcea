#include "data/text/detail/byte_alphabet.h"

#include "ddx/data/text/utf8.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ddx::data::detail {
namespace {

constexpr std::size_t byte_count = 256;

/// True where Latin-1 has a visible character; a no-break space and a soft hyphen are none.
constexpr bool is_visible(std::size_t byte) {
  return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte != 0xAD);
}

constexpr std::array<char32_t, byte_count> make_points() {
  std::array<char32_t, byte_count> points{};
  char32_t next = 0x100;
  for (std::size_t byte = 0; byte < byte_count; ++byte) {
    points[byte] = is_visible(byte) ? static_cast<char32_t>(byte) : next++;
  }
  return points;
}

constexpr auto points = make_points();

/// The byte of each code point of the alphabet; -1 for others.
constexpr auto byte_of_point = [] {
  std::array<int, 0x144> bytes{};
  bytes.fill(-1);
  for (std::size_t byte = 0; byte < byte_count; ++byte) {
    bytes[points[byte]] = static_cast<int>(byte);
  }
  return bytes;
}();

}  // namespace

const std::string& letter_of(std::uint8_t byte) {
  static const auto letters = [] {
    std::array<std::string, byte_count> made;
    for (std::size_t i = 0; i < byte_count; ++i) {
      append_utf8(made[i], points[i]);
    }
    return made;
  }();
  return letters[byte];
}

std::vector<std::string> byte_alphabet() {
  auto sorted = points;
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::string> letters;
  for (const auto point : sorted) {
    letters.push_back(to_utf8({&point, 1}));
  }
  return letters;
}

std::optional<std::string> bytes_of_letters(std::string_view letters) {
  std::string bytes;
  bytes.reserve(letters.size());
  for (std::size_t i = 0; i < letters.size();) {
    const auto character = utf8_character_at(letters, i);
    i += character.bytes;
    if (character.code_point >= byte_of_point.size() || byte_of_point[character.code_point] < 0) {
      return std::nullopt;
    }
    bytes.push_back(static_cast<char>(byte_of_point[character.code_point]));
  }
  return bytes;
}

}  // namespace ddx::data::detail
