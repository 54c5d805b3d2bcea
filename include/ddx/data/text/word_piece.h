/// \file
/// Words in pieces: BERT's subwords.

#pragma once

#include "ddx/data/text/vocabulary.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::data {

/// Cuts words into the longest pieces that a vocabulary has, from the left.
///
/// Source:  Y. Wu et al., "Google's neural machine translation system: bridging the gap between
///          human and machine translation", arXiv 1609.08144 (2016).
class WordPiece {
 public:
  struct Options {
    /// What a word becomes that cannot be cut into pieces.
    std::string unknown_token = "[UNK]";
    /// What opens a piece that does not begin its word.
    std::string continuation = "##";
    /// A word of more characters is unknown.
    std::int64_t longest_word = 100;
  };

  /// Throws:  UsageError if the unknown token is not in the vocabulary.
  explicit WordPiece(Vocabulary vocabulary) : WordPiece(std::move(vocabulary), Options{}) {}
  /// As above.
  WordPiece(Vocabulary vocabulary, Options options);

  /// The ids of a word's pieces; none for an empty word.
  ///
  /// Cost:    linear in the word, times the square of the longest token.
  [[nodiscard]] std::vector<std::int32_t> pieces(std::string_view word) const;

  /// The text of these ids: pieces are joined to words, words stand apart by a space.
  ///
  /// Throws:  UsageError if an id is not in the vocabulary.
  [[nodiscard]] std::string text(std::span<const std::int32_t> ids) const;

  /// The tokens.
  [[nodiscard]] const Vocabulary& vocabulary() const noexcept { return vocabulary_; }
  /// The options.
  [[nodiscard]] const Options& options() const noexcept { return options_; }

 private:
  Vocabulary vocabulary_;
  Options options_;
  std::int32_t unknown_id_;
  std::size_t longest_token_ = 0;  ///< In bytes.
};

}  // namespace ddx::data
