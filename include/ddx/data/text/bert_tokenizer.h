/// \file
/// The tokenizer of BERT.

#pragma once

#include "ddx/data/text/basic_tokenizer.h"
#include "ddx/data/text/detail/special_tokens.h"
#include "ddx/data/text/encoded_text.h"
#include "ddx/data/text/vocabulary.h"
#include "ddx/data/text/word_piece.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::data {

/// Converts texts and pairs of texts to BERT's ids: words, split into pieces, between special
/// tokens: [CLS] first [SEP] second [SEP].
///
/// Example:
///   const BertTokenizer tokenizer(read_vocabulary_lines("vocab.txt"));
///   std::vector<EncodedText> texts = {tokenizer.encode("is it?", "it is", {.max_length = 128})};
///   TextBatch batch = padded_batch(texts, {.padding_id = tokenizer.padding_id()});
class BertTokenizer {
 public:
  struct Options {
    BasicTokenizer::Options words = {};
    WordPiece::Options pieces = {};
    std::string classification_token = "[CLS]";
    std::string separator_token = "[SEP]";
    std::string padding_token = "[PAD]";
    std::string mask_token = "[MASK]";
  };

  /// Throws:  UsageError if one of the special tokens is not in the vocabulary.
  explicit BertTokenizer(Vocabulary vocabulary) : BertTokenizer(std::move(vocabulary), Options{}) {}
  /// As above.
  BertTokenizer(Vocabulary vocabulary, Options options);

  /// The ids of a text without special tokens around it. Special tokens in the text, spelled as in
  /// the options, are found before it is split into words.
  [[nodiscard]] std::vector<std::int32_t> pieces(std::string_view text) const;

  /// A text in the model's input format, between [CLS] and [SEP].
  ///
  /// Throws:  UsageError if the limit is below 2.
  [[nodiscard]] EncodedText encode(std::string_view text, const LengthLimit& limit = {}) const;

  /// A pair of texts in the model's input format; the second one, its [SEP] included, is segment 1.
  ///
  /// Throws:  UsageError if the limit is below 3, and as `truncate_pair`.
  [[nodiscard]] EncodedText encode(std::string_view first, std::string_view second,
                                   const LengthLimit& limit = {}) const;

  /// The text of these ids, special tokens included, with spaces between words.
  ///
  /// Throws:  UsageError if an id is not in the vocabulary.
  [[nodiscard]] std::string decode(std::span<const std::int32_t> ids) const;

  /// The id that pads a batch.
  [[nodiscard]] std::int32_t padding_id() const noexcept { return padding_id_; }
  /// The id of a masked word, which the model predicts.
  [[nodiscard]] std::int32_t mask_id() const noexcept { return mask_id_; }
  /// The tokens.
  [[nodiscard]] const Vocabulary& vocabulary() const noexcept { return pieces_.vocabulary(); }

 private:
  BasicTokenizer words_;
  WordPiece pieces_;
  detail::SpecialTokens special_;
  std::int32_t classification_id_;
  std::int32_t separator_id_;
  std::int32_t padding_id_;
  std::int32_t mask_id_;
};

}  // namespace ddx::data
