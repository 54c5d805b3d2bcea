/// \file
/// How BERT normalises a text.

#pragma once

#include <string>
#include <string_view>

namespace ddx::data::detail {

/// The steps, in their order.
struct BertNormalization {
  bool cleans = true;          ///< Removes controls and formats; white space becomes a space.
  bool splits_chinese = true;  ///< Puts spaces around Chinese characters.
  bool strips_accents = true;
  bool lowers_case = true;
};

/// The normalised text.
[[nodiscard]] std::u32string bert_normalized(std::u32string_view text,
                                             const BertNormalization& steps);

/// Whether a character is a word by itself: punctuation, and ASCII symbols.
[[nodiscard]] bool is_bert_punctuation(char32_t point) noexcept;

}  // namespace ddx::data::detail
