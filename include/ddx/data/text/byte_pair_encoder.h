/// \file
/// The byte-level byte-pair tokenizer of GPT-2 and RoBERTa.

#pragma once

#include "ddx/data/text/byte_pair_model.h"
#include "ddx/data/text/detail/byte_pair_merges.h"
#include "ddx/data/text/detail/special_tokens.h"
#include "ddx/data/text/vocabulary.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::data {

/// Converts texts to ids and back by byte-level byte-pair encoding: the text is split into words,
/// each word into bytes, and bytes are merged by the model's merges.
///
/// Every text can be encoded, and `decode(encode(text)) == text`, if the vocabulary has all 256
/// bytes, as a trained one does. Bytes that are not UTF-8 are encoded unchanged; apply `valid_utf8`
/// to the text to replace them first, as other tokenizers do.
///
/// Example:
///   const BytePairEncoder encoder(read_byte_pair_model("vocab.json", "merges.txt"),
///                                 {.special_tokens = {"<|endoftext|>"}});
///   std::vector<std::int32_t> ids = encoder.encode("Hello world<|endoftext|>");
class BytePairEncoder {
 public:
  struct Options {
    /// Inserts a space before a text, and before text after a special token, if there is none.
    bool add_prefix_space = false;
    /// Tokens that are matched literally, before the text is split into words: the leftmost, of
    /// these the longest.
    std::vector<std::string> special_tokens = {};
    /// The replacement of a byte that is not in the vocabulary; empty: an error.
    std::string unknown_token = {};
  };

  /// Throws:  UsageError if a merge repeats another one, or its tokens or their union, a special
  ///          token or the unknown token are not in the vocabulary; if a special token is empty.
  explicit BytePairEncoder(BytePairModel model) : BytePairEncoder(std::move(model), Options{}) {}
  /// As above.
  BytePairEncoder(BytePairModel model, Options options);

  /// The ids of a text.
  ///
  /// Throws:  UsageError if a byte is not in the vocabulary and there is no unknown token. Names
  ///          the byte.
  /// Cost:    O(n log n) for n bytes.
  [[nodiscard]] std::vector<std::int32_t> encode(std::string_view text) const;

  /// The text of these ids, special tokens included. Tokens that end inside a character give bytes
  /// that are not UTF-8; `valid_utf8` replaces them.
  ///
  /// Throws:  UsageError if an id is not in the vocabulary.
  [[nodiscard]] std::string decode(std::span<const std::int32_t> ids) const;

  /// The tokens.
  [[nodiscard]] const Vocabulary& vocabulary() const noexcept { return model_.vocabulary; }
  /// The tokens and merges.
  [[nodiscard]] const BytePairModel& model() const noexcept { return model_; }
  /// The options.
  [[nodiscard]] const Options& options() const noexcept { return options_; }

 private:
  void append_piece(std::vector<std::int32_t>& ids, std::string_view piece) const;

  BytePairModel model_;
  Options options_;
  detail::BytePairMerges merges_;
  detail::SpecialTokens special_;
  std::array<std::int32_t, 256> id_of_byte_{};  ///< -1 if the vocabulary lacks the byte.
  std::vector<std::string> bytes_of_;           ///< By id.
};

}  // namespace ddx::data
