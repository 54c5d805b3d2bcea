#include "ddx/data/text/sentence_piece_tokenizer.h"

#include "ddx/core/error.h"
#include "ddx/data/text/sentence_piece_model.h"
#include "ddx/data/text/utf8.h"

#include "data/text/detail/best_unigram_path.h"
#include "data/text/detail/byte_tokens.h"
#include "data/text/detail/quoted.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::data {
namespace {

constexpr auto sentence_piece_tokenizer_operation = "SentencePieceTokenizer";
/// U+2581.
constexpr std::string_view space_mark = "\xE2\x96\x81";
constexpr std::string_view replacement_text = "\xEF\xBF\xBD";

std::string with_spaces(std::string_view piece) {
  std::string text;
  while (!piece.empty()) {
    const bool is_mark = piece.starts_with(space_mark);
    text += is_mark ? ' ' : piece[0];
    piece.remove_prefix(is_mark ? space_mark.size() : 1);
  }
  return text;
}

}  // namespace

SentencePieceTokenizer::SentencePieceTokenizer(SentencePieceModel model)
    : model_(std::move(model)),
      lowest_score_(std::numeric_limits<float>::max()),
      // The format's own reader starts from the least positive number, so that with negative scores
      // it is the highest: what is user-defined wins over any other path.
      highest_score_(std::numeric_limits<float>::min()) {
  for (std::size_t i = 0; i < model_.pieces.size(); ++i) {
    add_piece(i);
  }
  if (unknown_id_ < 0) {
    throw UsageError(
        sentence_piece_tokenizer_operation,
        "none of the " + std::to_string(model_.pieces.size()) + " pieces is the unknown one");
  }
  find_bytes();
  if (!model_.normalization.replacements.empty()) {
    replacements_ = detail::ReplacementTable(model_.normalization.replacements,
                                             sentence_piece_tokenizer_operation);
  }
}

void SentencePieceTokenizer::add_piece(std::size_t place) {
  const auto& [text, score, kind] = model_.pieces[place];
  const auto fail = [&](const std::string& facts) {
    throw UsageError(
        sentence_piece_tokenizer_operation,
        "piece " + std::to_string(place) + " " + detail::in_quotes(text) + ": " + facts);
  };
  if (text.empty() || !is_utf8(text)) {
    fail(text.empty() ? "its text is empty" : "its text is not UTF-8");
  }
  if (!std::isfinite(score)) {
    fail("its score is " + std::to_string(score));
  }
  if (const auto other = vocabulary_.id(text)) {
    fail("piece " + std::to_string(*other) + " has the same text");
  }
  vocabulary_.add(text);
  const auto id = static_cast<std::int32_t>(place);
  switch (kind) {
    case SentencePieceKind::Normal:
      lowest_score_ = std::min(lowest_score_, score);
      highest_score_ = std::max(highest_score_, score);
      tree_.add(text, id);
      return;
    case SentencePieceKind::UserDefined:
      user_defined_.add(text, id);
      tree_.add(text, id);
      return;
    case SentencePieceKind::Unknown:
      if (unknown_id_ >= 0) {
        fail("piece " + std::to_string(unknown_id_) + " is the unknown one already");
      }
      unknown_id_ = id;
      return;
    case SentencePieceKind::Byte:
      if (!model_.byte_fallback) {
        fail("a byte in a model without byte fallback");
      }
      return;
    case SentencePieceKind::Control:
    case SentencePieceKind::Unused:
      return;
  }
}

void SentencePieceTokenizer::find_bytes() {
  if (!model_.byte_fallback) {
    return;
  }
  for (std::size_t byte = 0; byte < id_of_byte_.size(); ++byte) {
    const auto id = vocabulary_.id(detail::byte_token(static_cast<std::uint8_t>(byte)));
    if (!id || piece(*id).kind != SentencePieceKind::Byte) {
      throw UsageError(sentence_piece_tokenizer_operation,
                       "a model with byte fallback lacks the piece " +
                           detail::byte_token(static_cast<std::uint8_t>(byte)));
    }
    id_of_byte_[byte] = *id;
  }
}

SentencePieceTokenizer::Prefix SentencePieceTokenizer::normalized_prefix(
    std::string_view text) const {
  std::size_t longest = 0;
  user_defined_.for_each_prefix(text, [&](std::size_t bytes, std::int32_t) { longest = bytes; });
  if (longest > 0) {
    return {text.substr(0, longest), longest};
  }
  if (const auto match = replacements_.longest_match(text)) {
    return {match->replacement, match->bytes};
  }
  const auto character = utf8_character_at(text, 0);
  return character.is_valid ? Prefix{text.substr(0, character.bytes), character.bytes}
                            : Prefix{replacement_text, 1};
}

std::string SentencePieceTokenizer::normalized(std::string_view text) const {
  const auto& options = model_.normalization;
  const std::string_view space = options.escape_whitespaces ? space_mark : " ";
  if (options.remove_extra_whitespaces) {
    while (!text.empty()) {
      const auto prefix = normalized_prefix(text);
      if (prefix.replacement != " ") {
        break;
      }
      text.remove_prefix(prefix.bytes);
    }
  }
  std::string result;
  if (text.empty()) {
    return result;
  }
  if (options.add_dummy_prefix && !options.whitespace_as_suffix) {
    result += space;
  }
  bool is_after_space = options.remove_extra_whitespaces;
  while (!text.empty()) {
    auto [part, bytes] = normalized_prefix(text);
    text.remove_prefix(bytes);
    while (is_after_space && part.starts_with(' ')) {
      part.remove_prefix(1);
    }
    for (const char letter : part) {
      if (letter == ' ') {
        result += space;
      } else {
        result += letter;
      }
    }
    if (!part.empty()) {
      is_after_space = options.remove_extra_whitespaces && part.ends_with(' ');
    }
  }
  if (options.remove_extra_whitespaces) {
    while (result.ends_with(space)) {
      result.resize(result.size() - space.size());
    }
  }
  if (options.add_dummy_prefix && options.whitespace_as_suffix) {
    result += space;
  }
  return result;
}

float SentencePieceTokenizer::score_of(std::int32_t id, std::size_t bytes) const {
  const auto& entry = piece(id);
  return entry.kind == SentencePieceKind::UserDefined
             ? static_cast<float>(bytes) * highest_score_ - 0.1F
             : entry.score;
}

std::vector<detail::UnigramNode> SentencePieceTokenizer::best_path(std::string_view text) const {
  // Sums are rounded to 32 bits, as in the format's own reader: that decides between equal paths.
  return detail::best_unigram_path<float>(
      tree_, text, {unknown_id_, lowest_score_ - detail::unknown_penalty},
      [&](std::int32_t id, std::size_t bytes) { return score_of(id, bytes); });
}

std::vector<std::int32_t> SentencePieceTokenizer::encode(std::string_view text) const {
  const auto cleaned = normalized(text);
  std::vector<std::int32_t> ids;
  for (const auto& node : best_path(cleaned)) {
    if (node.id != unknown_id_) {
      ids.push_back(node.id);
    } else if (model_.byte_fallback) {
      for (std::size_t i = node.begin; i < node.end; ++i) {
        ids.push_back(id_of_byte_[static_cast<std::uint8_t>(cleaned[i])]);
      }
    } else if (ids.empty() || ids.back() != unknown_id_) {
      ids.push_back(unknown_id_);
    }
  }
  return ids;
}

void SentencePieceTokenizer::append_bytes(std::string& text,
                                          std::span<const std::int32_t> ids) const {
  std::string bytes;
  for (const auto id : ids) {
    const auto place = std::find(id_of_byte_.begin(), id_of_byte_.end(), id);
    bytes.push_back(static_cast<char>(place - id_of_byte_.begin()));
  }
  // Each byte that is not UTF-8 gives a replacement character of its own.
  for (std::size_t i = 0; i < bytes.size();) {
    const auto character = utf8_character_at(bytes, i);
    append_utf8(text, character.code_point);
    i += character.is_valid ? character.bytes : 1;
  }
}

std::string SentencePieceTokenizer::decode(std::span<const std::int32_t> ids) const {
  const auto& options = model_.normalization;
  const bool drops_first_space = options.add_dummy_prefix || options.remove_extra_whitespaces;
  std::string text;
  std::size_t bytes_begin = 0;
  bool has_dropped = false;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    (void)vocabulary_.token(ids[i], sentence_piece_tokenizer_operation);  // Checks the id.
    const auto& entry = piece(ids[i]);
    if (entry.kind == SentencePieceKind::Byte) {
      continue;
    }
    append_bytes(text, ids.subspan(bytes_begin, i - bytes_begin));
    bytes_begin = i + 1;
    if (entry.kind == SentencePieceKind::Unknown) {
      text += model_.unknown_surface;
    } else if (entry.kind != SentencePieceKind::Control) {
      std::string_view part = entry.text;
      if (drops_first_space && text.empty() && !has_dropped && part.starts_with(space_mark)) {
        part.remove_prefix(space_mark.size());
        has_dropped = !options.remove_extra_whitespaces;
      }
      text += with_spaces(part);
    }
  }
  append_bytes(text, ids.subspan(bytes_begin));
  return text;
}

}  // namespace ddx::data
