/// \file
/// A text in pieces, and what splits them further.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace ddx::data::detail {

/// Bytes of a text.
struct Span {
  std::size_t begin;
  std::size_t end;
};

/// Parts of a text, in order, none empty.
struct Pieces {
  std::string text;
  std::vector<Span> spans;
  /// Whether byte 0 of the text is the beginning of what the caller encodes.
  bool begins_text = false;

  [[nodiscard]] std::string_view piece(const Span& span) const {
    return std::string_view(text).substr(span.begin, span.end - span.begin);
  }
};

/// What becomes of a match that splits a piece.
enum class SplitBehavior : std::uint8_t {
  Removed,
  Isolated,            ///< A piece of its own.
  MergedWithPrevious,  ///< The end of the piece before it.
  MergedWithNext,      ///< The beginning of the piece behind it.
  Contiguous,          ///< Matches without text between them are one piece.
};

/// A part of a piece.
struct Part {
  Span span;
  bool is_match;
};

/// Appends the matches of a piece and what lies between them, so that they cover it.
using PartFinder = std::function<void(std::string_view piece, std::vector<Part>& parts)>;

/// Changes pieces.
using PreTokenizer = std::function<void(Pieces& pieces)>;

/// Splits each piece at the matches that `find` returns. With `is_inverted` what lies between them
/// counts as the match.
void split_pieces(Pieces& pieces, const PartFinder& find, SplitBehavior behavior,
                  bool is_inverted = false);

/// Replaces each piece by what `rewrite(piece, is_first, text)` appends to the text; `is_first`
/// where the piece begins what the caller encodes.
void rewrite_pieces(Pieces& pieces,
                    const std::function<void(std::string_view, bool, std::string&)>& rewrite);

/// The text with each match replaced. Throws as `check_growth`.
[[nodiscard]] std::string replaced(std::string_view text, const PartFinder& find,
                                   std::string_view content);

/// Each character that `is_match` holds for as a match.
[[nodiscard]] PartFinder parts_at_characters(std::function<bool(char32_t)> is_match);

/// Each run of characters that have the same kind, of which `kind_of` returns the number; those of
/// kind 0 are what lies between matches.
[[nodiscard]] PartFinder parts_of_kinds(std::function<int(char32_t)> kind_of);

/// Each occurrence of a text that is not empty, from the left.
[[nodiscard]] PartFinder parts_at_text(std::string wanted);

}  // namespace ddx::data::detail
