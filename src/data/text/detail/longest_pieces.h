/// \file
/// Words in the longest pieces.

#pragma once

#include "ddx/data/text/utf8.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ddx::data::detail {

/// The ids of the longest pieces of a word from the left; none where a part of it is no piece, or
/// it has more than `longest_word` characters. `continuation` opens a piece that does not begin the
/// word; `id_of` returns the id of a piece, if it has one; none has more than `longest_piece`
/// bytes.
///
/// Cost:    linear in the word, times the square of the longest piece.
template <class IdOf>
std::optional<std::vector<std::int32_t>> longest_pieces(std::string_view word,
                                                        std::string_view continuation,
                                                        std::int64_t longest_word,
                                                        std::size_t longest_piece,
                                                        const IdOf& id_of) {
  // Where each character begins, and the end.
  std::vector<std::size_t> borders = {0};
  while (borders.back() < word.size()) {
    if (static_cast<std::int64_t>(borders.size()) > longest_word) {
      return std::nullopt;
    }
    borders.push_back(borders.back() + utf8_character_at(word, borders.back()).bytes);
  }
  std::vector<std::int32_t> ids;
  std::string piece;
  for (std::size_t begin = 0; begin + 1 < borders.size();) {
    // The last border that a piece may reach.
    auto end = static_cast<std::size_t>(
        std::upper_bound(borders.begin(), borders.end(), borders[begin] + longest_piece) -
        borders.begin() - 1);
    for (; end > begin; --end) {
      piece = begin == 0 ? std::string_view() : continuation;
      piece += word.substr(borders[begin], borders[end] - borders[begin]);
      if (const auto id = id_of(piece)) {
        ids.push_back(*id);
        break;
      }
    }
    if (end == begin) {
      return std::nullopt;
    }
    begin = end;
  }
  return ids;
}

}  // namespace ddx::data::detail
