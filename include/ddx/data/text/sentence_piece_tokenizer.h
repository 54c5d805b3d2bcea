/// \file
/// The tokenizer of SentencePiece's unigram models.

#pragma once

#include "ddx/data/text/detail/prefix_tree.h"
#include "ddx/data/text/detail/replacement_table.h"
#include "ddx/data/text/detail/unigram_node.h"
#include "ddx/data/text/sentence_piece_model.h"
#include "ddx/data/text/vocabulary.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ddx::data {

/// Converts texts to the ids of the most probable pieces, and back.
///
/// A text is normalised by the model's rules; bytes that are not UTF-8 become replacement
/// characters. Control pieces such as <s> are never matched in a text: add `vocabulary().id("<s>")`
/// around the ids.
///
/// Source:  T. Kudo, "Subword regularization: improving neural network translation models with
///          multiple subword candidates", ACL 2018.
/// Example:
///   const SentencePieceTokenizer tokenizer(read_sentence_piece_model("spiece.model"));
///   std::vector<std::int32_t> ids = tokenizer.encode("Hello world");
class SentencePieceTokenizer {
 public:
  /// Throws:  UsageError if a piece is empty, not UTF-8 or there twice, a score is not finite,
  ///          there is not exactly one unknown piece, the pieces of bytes are not all there (with
  ///          `byte_fallback`) or any is (without), or the replacements are not as they should be.
  explicit SentencePieceTokenizer(SentencePieceModel model);

  /// The ids of a text.
  ///
  /// Cost:    linear in the text, times the longest piece.
  [[nodiscard]] std::vector<std::int32_t> encode(std::string_view text) const;

  /// The text of these ids. Control pieces give nothing; bytes that are not UTF-8 give replacement
  /// characters.
  ///
  /// Throws:  UsageError if an id is not in the vocabulary.
  [[nodiscard]] std::string decode(std::span<const std::int32_t> ids) const;

  /// The pieces of the text.
  [[nodiscard]] std::string normalized(std::string_view text) const;

  /// The pieces as tokens.
  [[nodiscard]] const Vocabulary& vocabulary() const noexcept { return vocabulary_; }
  /// The model.
  [[nodiscard]] const SentencePieceModel& model() const noexcept { return model_; }

 private:
  struct Prefix {
    std::string_view replacement;
    std::size_t bytes;
  };

  void add_piece(std::size_t place);
  void find_bytes();
  [[nodiscard]] const SentencePiece& piece(std::int32_t id) const noexcept {
    return model_.pieces[static_cast<std::size_t>(id)];
  }
  [[nodiscard]] Prefix normalized_prefix(std::string_view text) const;
  [[nodiscard]] float score_of(std::int32_t id, std::size_t bytes) const;
  [[nodiscard]] std::vector<detail::UnigramNode> best_path(std::string_view text) const;
  void append_bytes(std::string& text, std::span<const std::int32_t> ids) const;

  SentencePieceModel model_;
  Vocabulary vocabulary_;
  detail::ReplacementTable replacements_;
  detail::PrefixTree tree_;
  detail::PrefixTree user_defined_;
  std::array<std::int32_t, 256> id_of_byte_{};
  std::int32_t unknown_id_ = -1;
  float lowest_score_;
  float highest_score_;
};

}  // namespace ddx::data
