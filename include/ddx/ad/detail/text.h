/// \file
/// Text in constant expressions: the little of std::string_view that lists of members need, without
/// <string_view>.

#pragma once

#include <cstddef>

namespace ddx::detail {

/// Characters that belong to something else.
struct Text {
  constexpr Text() = default;
  constexpr Text(const char* first, std::size_t count) : data(first), size(count) {}
  /// Of a string literal, or of what ends with a zero.
  constexpr Text(const char* text) : data(text) {  // NOLINT(google-explicit-constructor)
    while (data[size] != 0) {
      ++size;
    }
  }
  /// Of a std::string_view.
  template <class View>
    requires requires(View view) { view.remove_prefix(0); }
  constexpr Text(const View& view)  // NOLINT(google-explicit-constructor)
      : data(view.data()), size(view.size()) {}

  /// The place of `character` from place `from` on, or the end.
  [[nodiscard]] constexpr std::size_t find(char character, std::size_t from = 0) const {
    while (from < size && data[from] != character) {
      ++from;
    }
    return from;
  }

  /// The text from `first` to before `last`.
  [[nodiscard]] constexpr Text part(std::size_t first, std::size_t last) const {
    return {data + first, last - first};
  }

  [[nodiscard]] constexpr bool ends_with(Text end) const {
    return size >= end.size && part(size - end.size, size) == end;
  }

  [[nodiscard]] friend constexpr bool operator==(const Text& a, const Text& b) {
    if (a.size != b.size) {
      return false;
    }
    for (std::size_t i = 0; i < a.size; ++i) {
      if (a.data[i] != b.data[i]) {
        return false;
      }
    }
    return true;
  }

  const char* data = "";
  std::size_t size = 0;
};

}  // namespace ddx::detail
