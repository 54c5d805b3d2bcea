/// \file
/// The model of a tokenizer.json: words to ids.

#pragma once

#include "data/text/detail/pipeline/settings.h"
#include "data/text/detail/pipeline/token_table.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

namespace ddx::data::detail {

/// Tokens, and how words are made of them. For any thread.
struct WordModel {
  std::shared_ptr<const TokenTable> tokens;
  /// Appends the ids of a word that is not empty.
  std::function<void(std::string_view word, std::vector<std::int32_t>& ids)> append_ids;
};

/// The model that these settings describe: BPE, WordPiece, Unigram or WordLevel. Refuses any other.
[[nodiscard]] WordModel read_word_model(const Settings& settings);

/// The BPE model of these settings. Refuses dropout, which makes encodings random.
[[nodiscard]] WordModel read_byte_pair_words(const Settings& settings);

/// The Unigram model of these settings.
[[nodiscard]] WordModel read_unigram_words(const Settings& settings);

}  // namespace ddx::data::detail
