#include "ddx/data/text/word_piece.h"

#include "ddx/data/text/vocabulary.h"

#include "data/text/detail/longest_pieces.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::data {

WordPiece::WordPiece(Vocabulary vocabulary, Options options)
    : vocabulary_(std::move(vocabulary)),
      options_(std::move(options)),
      unknown_id_(
          vocabulary_.required_id(options_.unknown_token, "WordPiece", "the unknown token")) {
  for (const auto& token : vocabulary_.tokens()) {
    longest_token_ = std::max(longest_token_, token.size());
  }
}

std::vector<std::int32_t> WordPiece::pieces(std::string_view word) const {
  return detail::longest_pieces(word, options_.continuation, options_.longest_word, longest_token_,
                                [&](std::string_view piece) { return vocabulary_.id(piece); })
      .value_or(std::vector{unknown_id_});
}

std::string WordPiece::text(std::span<const std::int32_t> ids) const {
  std::string text;
  bool is_first = true;
  for (const auto id : ids) {
    const std::string_view token = vocabulary_.token(id, "WordPiece");
    const bool continues =
        !options_.continuation.empty() && !is_first && token.starts_with(options_.continuation);
    if (continues) {
      text += token.substr(options_.continuation.size());
    } else {
      text += is_first ? "" : " ";
      text += token;
    }
    is_first = false;
  }
  return text;
}

}  // namespace ddx::data
