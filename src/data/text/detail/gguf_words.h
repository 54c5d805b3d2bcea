/// \file
/// How tokenizers of GGUF files split texts into words.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ddx::data::detail {

/// What a value of `tokenizer.ggml.pre` means.
struct GgufWords {
  std::vector<std::string_view> names;
  std::vector<std::string_view> patterns;  ///< None: GPT-2's, which ByteLevel has.
  bool splits_digits = false;              ///< Each digit is a word.
  bool composes = false;                   ///< Texts are normalised by NFC.
  bool ignores_merges = false;  ///< A word that is a token is that token, whatever its merges.
  bool begins_texts = false;    ///< Texts begin with the token that begins texts.
};

/// The words of a name; null where it is not known.
[[nodiscard]] const GgufWords* gguf_words(std::string_view name);

/// All names, with commas.
[[nodiscard]] std::string gguf_word_names();

}  // namespace ddx::data::detail
