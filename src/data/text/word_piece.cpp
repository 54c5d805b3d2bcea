#include "ddx/data/text/word_piece.h"

#include "ddx/data/text/utf8.h"
#include "ddx/data/text/vocabulary.h"

#include <cstddef>
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
          vocabulary_.required_id(options_.unknown_token, "WordPiece", "the unknown token")) {}

std::vector<std::int32_t> WordPiece::pieces(std::string_view word) const {
  // Where each character begins, and the end.
  std::vector<std::size_t> borders = {0};
  while (borders.back() < word.size()) {
    borders.push_back(borders.back() + utf8_character_at(word, borders.back()).bytes);
  }
  const std::size_t characters = borders.size() - 1;
  if (static_cast<std::int64_t>(characters) > options_.longest_word) {
    return {unknown_id_};
  }
  std::vector<std::int32_t> ids;
  std::string piece;
  for (std::size_t begin = 0; begin < characters;) {
    std::size_t end = characters;
    for (; end > begin; --end) {
      piece = begin == 0 ? std::string() : options_.continuation;
      piece += word.substr(borders[begin], borders[end] - borders[begin]);
      if (const auto id = vocabulary_.id(piece)) {
        ids.push_back(*id);
        break;
      }
    }
    if (end == begin) {
      return {unknown_id_};
    }
    begin = end;
  }
  return ids;
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
