#include "ddx/data/text/utf8.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ddx::data {
namespace {

/// What may follow a first byte: how many bytes, and the range of the second one. The range
/// excludes longer forms than needed, surrogates and values above 0x10FFFF.
struct Form {
  std::size_t bytes;
  std::uint8_t second_low;
  std::uint8_t second_high;
};

Form form_of(std::uint8_t first) noexcept {
  if (first < 0x80) {
    return {1, 0, 0};
  }
  if (first >= 0xC2 && first <= 0xDF) {
    return {2, 0x80, 0xBF};
  }
  if (first >= 0xE0 && first <= 0xEF) {
    const std::uint8_t low = first == 0xE0 ? 0xA0 : 0x80;
    const std::uint8_t high = first == 0xED ? 0x9F : 0xBF;
    return {3, low, high};
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const std::uint8_t low = first == 0xF0 ? 0x90 : 0x80;
    const std::uint8_t high = first == 0xF4 ? 0x8F : 0xBF;
    return {4, low, high};
  }
  return {0, 0, 0};
}

bool is_code_point(char32_t value) noexcept {
  return value <= 0x10FFFF && (value < 0xD800 || value > 0xDFFF);
}

}  // namespace

Utf8Character utf8_character_at(std::string_view text, std::size_t offset) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[offset + i]); };
  const auto form = form_of(byte(0));
  if (form.bytes == 1) {
    return {byte(0), 1, true};
  }
  if (form.bytes == 0) {
    return {replacement_character, 1, false};
  }
  // The first byte of n holds 7 - n bits of the value, each other one six.
  char32_t value = byte(0) & (0x7FU >> form.bytes);
  for (std::size_t i = 1; i < form.bytes; ++i) {
    const std::uint8_t low = i == 1 ? form.second_low : 0x80;
    const std::uint8_t high = i == 1 ? form.second_high : 0xBF;
    if (offset + i >= text.size() || byte(i) < low || byte(i) > high) {
      return {replacement_character, i, false};
    }
    value = value << 6 | (byte(i) & 0x3FU);
  }
  return {value, form.bytes, true};
}

void append_utf8(std::string& text, char32_t code_point) {
  const char32_t value = is_code_point(code_point) ? code_point : replacement_character;
  const auto put = [&](char32_t byte) { text.push_back(static_cast<char>(byte)); };
  const auto rest = [&](int shift) { put(0x80 | ((value >> shift) & 0x3F)); };
  if (value < 0x80) {
    put(value);
  } else if (value < 0x800) {
    put(0xC0 | value >> 6);
    rest(0);
  } else if (value < 0x10000) {
    put(0xE0 | value >> 12);
    rest(6);
    rest(0);
  } else {
    put(0xF0 | value >> 18);
    rest(12);
    rest(6);
    rest(0);
  }
}

std::u32string code_points(std::string_view text) {
  std::u32string points;
  for (std::size_t offset = 0; offset < text.size();) {
    const auto character = utf8_character_at(text, offset);
    points.push_back(character.code_point);
    offset += character.bytes;
  }
  return points;
}

std::string to_utf8(std::u32string_view code_points) {
  std::string text;
  for (const auto point : code_points) {
    append_utf8(text, point);
  }
  return text;
}

bool is_utf8(std::string_view text) noexcept {
  for (std::size_t offset = 0; offset < text.size();) {
    const auto character = utf8_character_at(text, offset);
    if (!character.is_valid) {
      return false;
    }
    offset += character.bytes;
  }
  return true;
}

std::string valid_utf8(std::string_view text) {
  return to_utf8(code_points(text));
}

}  // namespace ddx::data
