/// \file
/// GPT-2's cut of a text into words.

#pragma once

#include <cstddef>
#include <string_view>

namespace ddx::data::detail {

/// The first word of a text that is not empty; the words of what follows it are the text's others.
///
/// A word is what this pattern matches, with \s, \p{L} and \p{N} as in Unicode 14.0, bytes that are
/// not UTF-8 counting as symbols:
///   's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
///
/// Cost:    linear in the word and the character after it.
/// Source:  A. Radford et al., "Language models are unsupervised multitask learners" (2019).
[[nodiscard]] std::string_view first_word(std::string_view text);

}  // namespace ddx::data::detail
