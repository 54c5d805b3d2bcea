#include "ddx/data/text/detail/special_tokens.h"

#include "ddx/core/error.h"
#include "ddx/data/text/vocabulary.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace ddx::data::detail {

SpecialTokens::SpecialTokens(const Vocabulary& vocabulary, const std::vector<std::string>& tokens,
                             const std::string& operation) {
  for (const auto& token : tokens) {
    if (token.empty()) {
      throw UsageError(operation, "a special token is empty");
    }
    finder_.add(token, vocabulary.required_id(token, operation, "the special token"));
  }
}

void SpecialTokens::split(std::string_view text,
                          const std::function<void(std::string_view)>& on_text,
                          const std::function<void(std::int32_t)>& on_token) const {
  std::size_t begin = 0;
  while (begin < text.size()) {
    const auto match = finder_.next(text, begin);
    const std::size_t end = match ? match->begin : text.size();
    if (end > begin) {
      on_text(text.substr(begin, end - begin));
    }
    if (match) {
      on_token(match->number);
    }
    begin = match ? match->end : text.size();
  }
}

}  // namespace ddx::data::detail
