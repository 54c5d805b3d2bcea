#include "ddx/data/text/byte_pair_encoder.h"

#include "ddx/core/error.h"
#include "ddx/data/text/byte_pair_model.h"

#include "data/text/detail/byte_alphabet.h"
#include "data/text/detail/word_splitter.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::data {
namespace {

constexpr auto byte_pair_encoder_operation = "BytePairEncoder";

}  // namespace

BytePairEncoder::BytePairEncoder(BytePairModel model, Options options)
    : model_(std::move(model)),
      options_(std::move(options)),
      special_(model_.vocabulary, options_.special_tokens, byte_pair_encoder_operation) {
  for (const auto& [left, right] : model_.merges) {
    const auto problem = merges_.add(model_.vocabulary, left, right);
    if (!problem.empty()) {
      throw UsageError(byte_pair_encoder_operation, problem);
    }
  }
  const auto unknown =
      options_.unknown_token.empty()
          ? -1
          : vocabulary().required_id(options_.unknown_token, byte_pair_encoder_operation,
                                     "the unknown token");
  for (std::size_t byte = 0; byte < id_of_byte_.size(); ++byte) {
    id_of_byte_[byte] =
        vocabulary().id(detail::letter_of(static_cast<std::uint8_t>(byte))).value_or(unknown);
  }
  for (const auto& token : vocabulary().tokens()) {
    bytes_of_.push_back(detail::bytes_of_letters(token).value_or(token));
  }
}

std::vector<std::int32_t> BytePairEncoder::encode(std::string_view text) const {
  std::vector<std::int32_t> ids;
  special_.split(
      text,
      [&](std::string_view piece) {
        if (options_.add_prefix_space && !piece.starts_with(' ')) {
          append_piece(ids, " " + std::string(piece));
        } else {
          append_piece(ids, piece);
        }
      },
      [&](std::int32_t id) { ids.push_back(id); });
  return ids;
}

void BytePairEncoder::append_piece(std::vector<std::int32_t>& ids, std::string_view piece) const {
  std::vector<std::int32_t> tokens;
  while (!piece.empty()) {
    const auto word = detail::first_word(piece);
    piece.remove_prefix(word.size());
    tokens.clear();
    for (const char letter : word) {
      const auto byte = static_cast<std::uint8_t>(letter);
      if (id_of_byte_[byte] < 0) {
        throw UsageError(byte_pair_encoder_operation,
                         "byte " + std::to_string(byte) +
                             " is not in the vocabulary, and there is no unknown token");
      }
      tokens.push_back(id_of_byte_[byte]);
    }
    merges_.apply(tokens);
    ids.insert(ids.end(), tokens.begin(), tokens.end());
  }
}

std::string BytePairEncoder::decode(std::span<const std::int32_t> ids) const {
  std::string text;
  for (const auto id : ids) {
    (void)vocabulary().token(id, byte_pair_encoder_operation);  // Checks the id.
    text += bytes_of_[static_cast<std::size_t>(id)];
  }
  return text;
}

}  // namespace ddx::data
