/// \file
/// Tokens that are matched literally.

#pragma once

#include "ddx/data/text/detail/token_finder.h"
#include "ddx/data/text/vocabulary.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace ddx::data::detail {

/// Some tokens of a vocabulary, and their positions in a text.
class SpecialTokens {
 public:
  /// Throws:  UsageError if a token is empty or not in the vocabulary.
  SpecialTokens(const Vocabulary& vocabulary, const std::vector<std::string>& tokens,
                const std::string& operation);

  /// Splits a text at its special tokens, from the left, preferring the longest. Calls `on_text`
  /// for nonempty text between them, and `on_token` with the id of each.
  void split(std::string_view text, const std::function<void(std::string_view)>& on_text,
             const std::function<void(std::int32_t)>& on_token) const;

 private:
  TokenFinder finder_;
};

}  // namespace ddx::data::detail
