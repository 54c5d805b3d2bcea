#include "ddx/data/text/bert_tokenizer.h"

#include "ddx/data/text/encoded_text.h"
#include "ddx/data/text/vocabulary.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::data {
namespace {

constexpr auto bert_tokenizer_operation = "BertTokenizer";

std::vector<std::string> special_tokens(const BertTokenizer::Options& options) {
  return {options.classification_token, options.separator_token, options.padding_token,
          options.mask_token, options.pieces.unknown_token};
}

}  // namespace

BertTokenizer::BertTokenizer(Vocabulary vocabulary, Options options)
    : words_(options.words),
      pieces_(std::move(vocabulary), options.pieces),
      special_(this->vocabulary(), special_tokens(options), bert_tokenizer_operation),
      classification_id_(*this->vocabulary().id(options.classification_token)),
      separator_id_(*this->vocabulary().id(options.separator_token)),
      padding_id_(*this->vocabulary().id(options.padding_token)),
      mask_id_(*this->vocabulary().id(options.mask_token)) {}

std::vector<std::int32_t> BertTokenizer::pieces(std::string_view text) const {
  std::vector<std::int32_t> ids;
  special_.split(
      text,
      [&](std::string_view piece) {
        for (const auto& word : words_.words(piece)) {
          const auto of_word = pieces_.pieces(word);
          ids.insert(ids.end(), of_word.begin(), of_word.end());
        }
      },
      [&](std::int32_t id) { ids.push_back(id); });
  return ids;
}

EncodedText BertTokenizer::encode(std::string_view text, const LengthLimit& limit) const {
  auto ids = pieces(text);
  if (limit.max_length) {
    truncate_text(ids, *limit.max_length - 2);
  }
  ids.insert(ids.begin(), classification_id_);
  ids.push_back(separator_id_);
  std::vector<std::int32_t> segments(ids.size(), 0);
  return {.ids = std::move(ids), .segments = std::move(segments)};
}

EncodedText BertTokenizer::encode(std::string_view first, std::string_view second,
                                  const LengthLimit& limit) const {
  auto ids = pieces(first);
  auto others = pieces(second);
  if (limit.max_length) {
    truncate_pair(ids, others, *limit.max_length - 3, limit.truncation);
  }
  ids.insert(ids.begin(), classification_id_);
  ids.push_back(separator_id_);
  std::vector<std::int32_t> segments(ids.size(), 0);
  ids.insert(ids.end(), others.begin(), others.end());
  ids.push_back(separator_id_);
  segments.resize(ids.size(), 1);
  return {.ids = std::move(ids), .segments = std::move(segments)};
}

std::string BertTokenizer::decode(std::span<const std::int32_t> ids) const {
  return pieces_.text(ids);
}

}  // namespace ddx::data
