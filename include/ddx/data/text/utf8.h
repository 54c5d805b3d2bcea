/// \file
/// Texts as sequences of characters in UTF-8.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ddx::data {

/// What stands in a text for bytes that are not UTF-8.
inline constexpr char32_t replacement_character = 0xFFFD;

/// One character of a text: its code point and how many bytes it takes.
struct Utf8Character {
  char32_t code_point = 0;  ///< `replacement_character` where the bytes are not UTF-8.
  std::size_t bytes = 0;
  bool is_valid = true;

  friend bool operator==(const Utf8Character&, const Utf8Character&) = default;
};

/// The character that begins at byte `offset` of the text, which must lie in [0, size).
///
/// Returns: where the bytes are not UTF-8 (a surrogate, a value above 0x10FFFF, a longer form than
///          needed, a truncated one), the replacement character for the longest run of bytes that
///          begins like a character, at least one byte.
/// Source:  The Unicode Standard 14.0, section 3.9, tables 3-7 and 3-8.
[[nodiscard]] Utf8Character utf8_character_at(std::string_view text, std::size_t offset) noexcept;

/// Appends a code point. One that no character has (a surrogate, above 0x10FFFF) becomes the
/// replacement character.
void append_utf8(std::string& text, char32_t code_point);

/// The code points of a text; bytes that are not UTF-8 become replacement characters.
[[nodiscard]] std::u32string code_points(std::string_view text);

/// These code points in UTF-8.
[[nodiscard]] std::string to_utf8(std::u32string_view code_points);

/// Whether the whole text is UTF-8.
[[nodiscard]] bool is_utf8(std::string_view text) noexcept;

/// The text with a replacement character for each run of bytes that are not UTF-8.
[[nodiscard]] std::string valid_utf8(std::string_view text);

}  // namespace ddx::data
