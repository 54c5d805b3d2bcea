#include "ddx/data/text/byte_pair_training.h"

#include "ddx/core/error.h"
#include "ddx/data/text/byte_pair_model.h"
#include "ddx/data/text/vocabulary.h"

#include "data/text/detail/byte_alphabet.h"
#include "data/text/detail/word_splitter.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <queue>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::data {
namespace {

constexpr auto byte_pair_training_operation = "train_byte_pair_model";

using Pair = std::pair<std::int32_t, std::int32_t>;

/// A word of the texts, as it is merged so far, and how often it is there.
struct Word {
  std::vector<std::int32_t> tokens;
  std::int64_t count;
};

/// How often a pair is there, and in which words it once was.
struct PairUse {
  std::int64_t count = 0;
  std::vector<std::size_t> words = {};
};

/// A pair that waits to be merged, with its count when it was put here: it may have fallen since.
struct Candidate {
  std::int64_t count;
  Pair pair;

  friend bool operator<(const Candidate& a, const Candidate& b) noexcept {
    return a.count != b.count ? a.count < b.count : b.pair < a.pair;
  }
};

class Trainer {
 public:
  Trainer(std::span<const std::string> texts, const BytePairTrainingOptions& options)
      : options_(options) {
    for (const auto& token : options.special_tokens) {
      model_.vocabulary.add(token);
    }
    for (auto& letter : detail::byte_alphabet()) {
      model_.vocabulary.add(std::move(letter));
    }
    for (const auto& [word, count] : word_counts(texts)) {
      Word entry{{}, count};
      for (const char byte : word) {
        entry.tokens.push_back(
            *model_.vocabulary.id(detail::letter_of(static_cast<std::uint8_t>(byte))));
      }
      words_.push_back(std::move(entry));
    }
    for (std::size_t i = 0; i < words_.size(); ++i) {
      add_pairs(i, words_[i].count);
    }
    for (const auto& [pair, use] : uses_) {
      candidates_.push({use.count, pair});
    }
  }

  BytePairModel train() {
    while (model_.vocabulary.size() < options_.vocabulary_size && !candidates_.empty()) {
      const auto [count, pair] = candidates_.top();
      candidates_.pop();
      const auto now = uses_[pair].count;
      if (now < count) {
        candidates_.push({now, pair});
      } else if (count < options_.min_frequency) {
        break;
      } else {
        merge(pair);
      }
    }
    return std::move(model_);
  }

 private:
  std::map<std::string, std::int64_t> word_counts(std::span<const std::string> texts) const {
    std::map<std::string, std::int64_t> counts;
    for (const auto& text : texts) {
      const bool is_prefixed = options_.add_prefix_space && !text.empty() && text[0] != ' ';
      const std::string prefixed = is_prefixed ? " " + text : std::string();
      for (std::string_view rest = is_prefixed ? prefixed : text; !rest.empty();) {
        const auto word = detail::first_word(rest);
        ++counts[std::string(word)];
        rest.remove_prefix(word.size());
      }
    }
    return counts;
  }

  /// Counts the pairs of a word so many times more.
  void add_pairs(std::size_t word, std::int64_t count) {
    const auto& tokens = words_[word].tokens;
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
      auto& use = uses_[{tokens[i], tokens[i + 1]}];
      use.count += count;
      if (count > 0 && (use.words.empty() || use.words.back() != word)) {
        use.words.push_back(word);
      }
    }
  }

  void merge(const Pair& pair) {
    const auto& left = model_.vocabulary.token(pair.first);
    const auto& right = model_.vocabulary.token(pair.second);
    model_.merges.emplace_back(left, right);
    const auto merged = left + right;
    // Two ways may lead to one token.
    if (!model_.vocabulary.id(merged)) {
      model_.vocabulary.add(merged);
    }
    const auto token = *model_.vocabulary.id(merged);
    auto places = std::move(uses_[pair].words);
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    for (const auto place : places) {
      add_pairs(place, -words_[place].count);
      replace(words_[place].tokens, pair, token);
      add_pairs(place, words_[place].count);
    }
    uses_.erase(pair);
    propose_pairs_of(token, places);
  }

  static void replace(std::vector<std::int32_t>& tokens, const Pair& pair, std::int32_t token) {
    std::size_t end = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (i + 1 < tokens.size() && tokens[i] == pair.first && tokens[i + 1] == pair.second) {
        tokens[end++] = token;
        ++i;
      } else {
        tokens[end++] = tokens[i];
      }
    }
    tokens.resize(end);
  }

  /// Only pairs of the new token can have become more frequent.
  void propose_pairs_of(std::int32_t token, const std::vector<std::size_t>& places) {
    std::vector<Pair> pairs;
    for (const auto place : places) {
      const auto& tokens = words_[place].tokens;
      for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        if (tokens[i] == token || tokens[i + 1] == token) {
          pairs.emplace_back(tokens[i], tokens[i + 1]);
        }
      }
    }
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    for (const auto& pair : pairs) {
      candidates_.push({uses_[pair].count, pair});
    }
  }

  BytePairTrainingOptions options_;
  BytePairModel model_;
  std::vector<Word> words_;
  std::map<Pair, PairUse> uses_;
  std::priority_queue<Candidate> candidates_;
};

}  // namespace

BytePairModel train_byte_pair_model(std::span<const std::string> texts,
                                    const BytePairTrainingOptions& options) {
  const auto least =
      static_cast<std::int64_t>(options.special_tokens.size() + detail::byte_alphabet().size());
  if (options.vocabulary_size < least) {
    throw UsageError(byte_pair_training_operation,
                     "a vocabulary of " + std::to_string(options.vocabulary_size) +
                         " tokens cannot hold " + std::to_string(options.special_tokens.size()) +
                         " special tokens and 256 bytes");
  }
  if (options.min_frequency < 1) {
    throw UsageError(
        byte_pair_training_operation,
        "min_frequency is " + std::to_string(options.min_frequency) + ", at least 1 is required");
  }
  return Trainer(texts, options).train();
}

}  // namespace ddx::data
