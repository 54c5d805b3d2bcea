/// \file
/// BERT's splitting of a text into words.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ddx::data {

/// Splits a text into words at white space and around punctuation.
///
/// First the text is cleaned: controls, formats and bytes that are not UTF-8 are removed, white
/// space becomes a space. Character properties are those of Unicode 14.0; ASCII symbols such as $
/// count as punctuation.
///
/// Source:  J. Devlin, M. Chang, K. Lee, K. Toutanova, "BERT: pre-training of deep bidirectional
///          transformers for language understanding", NAACL 2019, and its published code.
class BasicTokenizer {
 public:
  struct Options {
    bool lower_case = true;
    /// Strips accents: decomposes the text, then drops its nonspacing marks. Without a value, as
    /// `lower_case`.
    std::optional<bool> strip_accents = {};
    /// Makes each Chinese character a word.
    bool split_chinese = true;
  };

  BasicTokenizer() = default;  ///< For lower-case vocabularies.
  /// With these options.
  explicit BasicTokenizer(const Options& options) : options_(options) {}

  /// The words of a text.
  ///
  /// Cost:    linear in the text.
  [[nodiscard]] std::vector<std::string> words(std::string_view text) const;

  /// The options.
  [[nodiscard]] const Options& options() const noexcept { return options_; }

 private:
  Options options_;
};

}  // namespace ddx::data
