#include "data/text/detail/pipeline/word_model.h"

#include "data/text/detail/longest_pieces.h"
#include "data/text/detail/pipeline/model_tokens.h"
#include "data/text/detail/pipeline/settings.h"
#include "data/text/detail/pipeline/token_table.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ddx::data::detail {
namespace {

WordModel read_word_pieces(const Settings& settings) {
  const auto tokens = std::make_shared<const TokenTable>(read_token_ids(settings));
  const UnknownToken unknown(settings, *tokens);
  const auto continuation = read_affix(settings, "continuing_subword_prefix", "##");
  constexpr auto longest = "max_input_chars_per_word";
  const auto longest_word = settings.find(longest) == nullptr ? 100 : settings.integer(longest, 0);
  return {tokens, [=](std::string_view word, std::vector<std::int32_t>& ids) {
            const auto found =
                longest_pieces(word, continuation, longest_word, tokens->longest(),
                               [&](std::string_view piece) { return tokens->id(piece); });
            if (found) {
              ids.insert(ids.end(), found->begin(), found->end());
            } else {
              ids.push_back(unknown.id_for(word));
            }
          }};
}

WordModel read_whole_words(const Settings& settings) {
  const auto tokens = std::make_shared<const TokenTable>(read_token_ids(settings));
  const UnknownToken unknown(settings, *tokens);
  return {tokens, [=](std::string_view word, std::vector<std::int32_t>& ids) {
            const auto id = tokens->id(word);
            ids.push_back(id ? *id : unknown.id_for(word));
          }};
}

/// The type of a model in an old file, which does not say it.
std::string type_by_keys(const Settings& settings) {
  if (settings.find("merges") != nullptr) {
    return "BPE";
  }
  if (settings.find("max_input_chars_per_word") != nullptr) {
    return "WordPiece";
  }
  return settings.at("vocab").list() != nullptr ? "Unigram" : "WordLevel";
}

}  // namespace

WordModel read_word_model(const Settings& settings) {
  const auto type =
      settings.find("type") == nullptr ? type_by_keys(settings) : settings.text("type");
  if (type == "BPE") {
    return read_byte_pair_words(settings);
  }
  if (type == "WordPiece") {
    return read_word_pieces(settings);
  }
  if (type == "Unigram") {
    return read_unigram_words(settings);
  }
  if (type == "WordLevel") {
    return read_whole_words(settings);
  }
  settings.fail_unsupported("type");
}

}  // namespace ddx::data::detail
