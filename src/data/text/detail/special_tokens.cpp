#include "ddx/data/text/detail/special_tokens.h"

#include "ddx/core/error.h"
#include "ddx/data/text/vocabulary.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::data::detail {

SpecialTokens::SpecialTokens(const Vocabulary& vocabulary, const std::vector<std::string>& tokens,
                             const std::string& operation) {
  for (const auto& token : tokens) {
    if (token.empty()) {
      throw UsageError(operation, "a special token is empty");
    }
    tokens_.emplace_back(token, vocabulary.required_id(token, operation, "the special token"));
    is_first_byte_[static_cast<std::uint8_t>(token[0])] = true;
  }
  std::sort(tokens_.begin(), tokens_.end(), [](const auto& a, const auto& b) {
    return std::pair(b.first.size(), a.first) < std::pair(a.first.size(), b.first);
  });
}

const std::pair<std::string, std::int32_t>* SpecialTokens::token_at(std::string_view text,
                                                                    std::size_t offset) const {
  if (!is_first_byte_[static_cast<std::uint8_t>(text[offset])]) {
    return nullptr;
  }
  const auto found = std::find_if(tokens_.begin(), tokens_.end(), [&](const auto& token) {
    return text.substr(offset).starts_with(token.first);
  });
  return found == tokens_.end() ? nullptr : &*found;
}

void SpecialTokens::split(std::string_view text,
                          const std::function<void(std::string_view)>& on_text,
                          const std::function<void(std::int32_t)>& on_token) const {
  std::size_t begin = 0;
  const auto flush = [&](std::size_t end) {
    if (end > begin) {
      on_text(text.substr(begin, end - begin));
    }
  };
  for (std::size_t offset = 0; offset < text.size();) {
    if (const auto* token = token_at(text, offset)) {
      flush(offset);
      on_token(token->second);
      offset += token->first.size();
      begin = offset;
    } else {
      ++offset;
    }
  }
  flush(text.size());
}

}  // namespace ddx::data::detail
