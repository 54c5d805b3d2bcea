/// \file
/// Tokens that are matched literally.

#pragma once

#include "ddx/data/text/vocabulary.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
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
  /// The longest token at this position; null if there is none.
  [[nodiscard]] const std::pair<std::string, std::int32_t>* token_at(std::string_view text,
                                                                     std::size_t offset) const;

  std::vector<std::pair<std::string, std::int32_t>> tokens_;  ///< The longest first.
  std::array<bool, 256> is_first_byte_{};
};

}  // namespace ddx::data::detail
