/// \file
/// Tokens of a tokenizer.json that are found before a text is split.

#pragma once

#include "ddx/data/text/detail/token_finder.h"

#include "data/text/detail/pipeline/normalizers.h"
#include "data/text/detail/pipeline/settings.h"
#include "data/text/detail/pipeline/token_table.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace ddx::data::detail {

/// The list "added_tokens" of a file.
class AddedTokens {
 public:
  /// Takes the text between tokens, and whether it begins the text that was split.
  using OnText = std::function<void(std::string_view text, bool is_first)>;
  using OnToken = std::function<void(std::int32_t id)>;

  /// The tokens of the whole file's settings. Refuses an id that differs from the model's.
  AddedTokens(const Settings& settings, const TokenTable& model, const Normalizer& normalizer);

  /// Splits a text at the tokens that are matched before it is normalised.
  void split(std::string_view text, const OnText& on_text, const OnToken& on_token) const {
    split_by(raw_, text, on_text, on_token);
  }
  /// Splits a normalised text at the others.
  void split_normalized(std::string_view text, const OnText& on_text,
                        const OnToken& on_token) const {
    split_by(normalized_, text, on_text, on_token);
  }

  /// The tokens.
  [[nodiscard]] const TokenTable& tokens() const noexcept { return tokens_; }
  /// How many of them the model lacks.
  [[nodiscard]] std::size_t count_beside_model() const noexcept { return beside_model_; }
  /// What a token is decoded from: its normalised text where that is what is matched. Null where
  /// there is no such token.
  [[nodiscard]] const std::string* matched_text(std::int32_t id) const;
  /// Whether a token has no text of its own.
  [[nodiscard]] bool is_special(std::int32_t id) const { return special_.contains(id); }

 private:
  struct Token {
    std::int32_t id;
    bool is_single_word;
    bool strips_left;
    bool strips_right;
  };

  void split_by(const TokenFinder& finder, std::string_view text, const OnText& on_text,
                const OnToken& on_token) const;

  TokenTable tokens_;
  std::unordered_map<std::int32_t, std::string> matched_;
  std::size_t beside_model_ = 0;
  std::unordered_set<std::int32_t> special_;
  std::vector<Token> entries_;  ///< By the numbers of the finders.
  TokenFinder raw_;
  TokenFinder normalized_;
};

}  // namespace ddx::data::detail
