#include "data/text/detail/pipeline/added_tokens.h"

#include "ddx/data/text/detail/token_finder.h"
#include "ddx/data/text/utf8.h"

#include "data/text/detail/pipeline/normalizers.h"
#include "data/text/detail/pipeline/settings.h"
#include "data/text/detail/pipeline/token_table.h"
#include "data/text/detail/quoted.h"
#include "data/text/detail/unicode.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ddx::data::detail {
namespace {

/// Where the last character of a text begins that is not empty.
std::size_t last_character(std::string_view text) noexcept {
  constexpr std::size_t longest_character = 4;
  std::size_t begin = text.size() - 1;
  while (begin > 0 && text.size() - begin < longest_character &&
         (static_cast<std::uint8_t>(text[begin]) & 0xC0) == 0x80) {
    --begin;
  }
  return begin;
}

bool ends_with_word(std::string_view text) noexcept {
  return !text.empty() &&
         is_word_character(utf8_character_at(text, last_character(text)).code_point);
}

bool begins_with_word(std::string_view text) noexcept {
  return !text.empty() && is_word_character(utf8_character_at(text, 0).code_point);
}

/// The length of the text without white space at its end.
std::size_t length_without_space(std::string_view text) noexcept {
  while (!text.empty()) {
    const auto begin = last_character(text);
    if (!is_white_space(utf8_character_at(text, begin).code_point)) {
      break;
    }
    text = text.substr(0, begin);
  }
  return text.size();
}

/// The length of the white space at the beginning of a text.
std::size_t length_of_space(std::string_view text) noexcept {
  std::size_t length = 0;
  while (length < text.size()) {
    const auto character = utf8_character_at(text, length);
    if (!is_white_space(character.code_point)) {
      break;
    }
    length += character.bytes;
  }
  return length;
}

}  // namespace

AddedTokens::AddedTokens(const Settings& settings, const TokenTable& model,
                         const Normalizer& normalizer) {
  if (settings.find("added_tokens") == nullptr) {
    return;
  }
  const auto entries = settings.objects("added_tokens");
  for (const bool is_special : {true, false}) {  // Of equal normalised texts a special one counts.
    for (const auto& entry : entries) {
      if (entry.boolean("special", false) != is_special) {
        continue;
      }
      const auto content = entry.text("content");
      const auto id = entry.integer("id", 0);
      if (content.empty()) {
        entry.fail_unsupported("content");
      }
      const auto of_model = model.id(content);
      const auto* const other = model.token(id);
      if ((of_model && *of_model != id) || (other != nullptr && *other != content)) {
        entry.fail("id", std::to_string(id) + " of " + in_quotes(content) +
                             ", where the model has " +
                             (of_model ? "the id " + std::to_string(*of_model)
                                       : "the token " + in_quotes(*other)));
      }
      if (tokens_.id(content) || tokens_.add(content, id) != nullptr) {
        entry.fail("id", "token " + in_quotes(content) + " or its id " + std::to_string(id) +
                             " stands there twice");
      }
      beside_model_ += of_model ? 0 : 1;
      if (is_special) {
        special_.insert(id);
      }
      const auto number = static_cast<std::int32_t>(entries_.size());
      entries_.push_back({.id = id,
                          .is_single_word = entry.boolean("single_word", false),
                          .strips_left = entry.boolean("lstrip", false),
                          .strips_right = entry.boolean("rstrip", false)});
      auto text = content;
      const bool is_normalized = entry.boolean("normalized", !is_special);
      if (is_normalized && normalizer) {
        normalizer(text);
      }
      matched_.emplace(id, text);
      if (!text.empty()) {
        (is_normalized ? normalized_ : raw_).add(text, number);
      }
    }
  }
}

const std::string* AddedTokens::matched_text(std::int32_t id) const {
  const auto found = matched_.find(id);
  return found == matched_.end() ? nullptr : &found->second;
}

void AddedTokens::split_by(const TokenFinder& finder, std::string_view text, const OnText& on_text,
                           const OnToken& on_token) const {
  std::size_t done = 0;
  const auto pass_text = [&](std::size_t end) {
    if (end > done) {
      on_text(text.substr(done, end - done), done == 0);
    }
  };
  std::size_t from = 0;
  while (const auto match = finder.next(text, from)) {
    from = match->end;
    const auto& token = entries_[static_cast<std::size_t>(match->number)];
    if (token.is_single_word && (ends_with_word(text.substr(0, match->begin)) ||
                                 begins_with_word(text.substr(match->end)))) {
      continue;
    }
    auto begin = match->begin;
    auto end = match->end;
    if (token.strips_left && begin > done) {
      begin = done + length_without_space(text.substr(done, begin - done));
    }
    if (token.strips_right) {
      end = std::max(end, done);  // Up to there the token before has stripped.
      end += length_of_space(text.substr(end));
    }
    pass_text(begin);
    on_token(token.id);
    done = end;
  }
  pass_text(text.size());
}

}  // namespace ddx::data::detail
