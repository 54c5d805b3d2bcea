#include "ddx/models/generation/generate.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/models/generation/generate_options.h"
#include "ddx/models/generation/sampler.h"
#include "ddx/models/generation/token_predictor.h"
#include "ddx/tensor/random_categorical.h"
#include "ddx/tensor/tensor.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ddx::models {
namespace {

constexpr const char* generation = "generate";

[[noreturn]] void fail_generation(const std::string& facts, const std::source_location& where) {
  throw UsageError(generation, facts, where);
}

/// The first token with the largest score.
std::int32_t likeliest_token(std::span<const double> scores, const std::source_location& where) {
  std::size_t best = 0;
  for (std::size_t token = 0; token < scores.size(); ++token) {
    if (std::isnan(scores[token])) {
      fail_generation("the score of token " + std::to_string(token) + " is NaN", where);
    }
    best = scores[token] > scores[best] ? token : best;
  }
  return static_cast<std::int32_t>(best);
}

}  // namespace

std::int64_t GeneratedSequences::count() const noexcept {
  std::size_t sum = 0;
  for (const auto& sequence : tokens) {
    sum += sequence.size();
  }
  return static_cast<std::int64_t>(sum);
}

double GeneratedSequences::tokens_per_second() const noexcept {
  return seconds > 0 ? static_cast<double>(count()) / seconds : 0;
}

namespace detail {

GrowingSequences::GrowingSequences(std::span<const std::vector<std::int32_t>> beginnings,
                                   const GenerateOptions& options, const PredictorFacts& facts,
                                   std::source_location where)
    : options_(options), facts_(facts), where_(where) {
  check_options();
  if (beginnings.empty()) {
    fail_generation("there is no beginning", where_);
  }
  for (std::size_t i = 0; i < beginnings.size(); ++i) {
    check_beginning(i, beginnings[i]);
  }
  tokens_.assign(beginnings.begin(), beginnings.end());
  drawn_.resize(tokens_.size());
  ended_.assign(tokens_.size(), options_.count == 0);
  const auto shortest = std::ranges::min_element(
      tokens_, {}, [](const std::vector<std::int32_t>& tokens) { return tokens.size(); });
  known_ = static_cast<std::int64_t>(shortest->size());
}

void GrowingSequences::check_options() const {
  const auto require_above_zero = [&](const char* name, double value) {
    if (!(value > 0) || !std::isfinite(value)) {
      fail_generation(std::string(name) + " is " + std::to_string(value) +
                          ", a finite number above 0 is required",
                      where_);
    }
  };
  const auto require_probability = [&](const char* name, double value) {
    if (!(value >= 0 && value <= 1)) {
      fail_generation(
          std::string(name) + " is " + std::to_string(value) + ", expected 0 <= " + name + " <= 1",
          where_);
    }
  };
  if (options_.count < 0) {
    fail_generation("count is " + std::to_string(options_.count) + ", at least 0 is required",
                    where_);
  }
  require_above_zero("repetition_penalty", options_.repetition_penalty);
  require_above_zero("temperature", options_.temperature);
  require_probability("top_p", options_.top_p);
  require_probability("min_p", options_.min_p);
  if (options_.top_k < 0) {
    fail_generation("top_k is " + std::to_string(options_.top_k) + ", at least 0 is required",
                    where_);
  }
  for (const std::int32_t token : options_.end_tokens) {
    if (token < 0 || token >= facts_.vocabulary) {
      fail_generation("end token " + std::to_string(token) + " is not in [0, " +
                          std::to_string(facts_.vocabulary) + ")",
                      where_);
    }
  }
}

void GrowingSequences::check_beginning(std::size_t sequence,
                                       std::span<const std::int32_t> tokens) const {
  const std::string of = " of sequence " + std::to_string(sequence);
  if (tokens.empty()) {
    fail_generation("the beginning has no tokens; that" + of, where_);
  }
  for (const std::int32_t token : tokens) {
    if (token < 0 || token >= facts_.vocabulary) {
      fail_generation("token " + std::to_string(token) + of + " is not in [0, " +
                          std::to_string(facts_.vocabulary) + ")",
                      where_);
    }
  }
  // The model does not see the last token.
  const auto length = static_cast<std::int64_t>(tokens.size());
  if (facts_.limit == ContextLimit::Error && options_.count > 0 &&
      options_.count - 1 > facts_.context - length) {
    fail_generation("the beginning" + of + " has " + std::to_string(length) + " tokens; with " +
                        std::to_string(options_.count) +
                        " more it does not fit in the context of " + std::to_string(facts_.context),
                    where_);
  }
}

bool GrowingSequences::ended() const noexcept {
  return stopped_ || std::ranges::all_of(ended_, [](bool ended) { return ended; });
}

Continuation GrowingSequences::continuation(Device device) {
  const bool restarts = facts_.limit == ContextLimit::Restart;
  const bool first = seen_ == 0;
  const bool begins = first || (restarts && places_ + known_ - seen_ > facts_.context);
  if (begins) {
    const std::int64_t last = first ? facts_.context : (facts_.context + 1) / 2;
    seen_ = restarts ? std::max<std::int64_t>(known_ - last, 0) : 0;
    places_ = 0;
  }
  std::vector<std::int32_t> fresh;
  for (const auto& tokens : tokens_) {
    fresh.insert(fresh.end(), tokens.begin() + seen_, tokens.begin() + known_);
  }
  const std::int64_t places = known_ - seen_;
  places_ += places;
  seen_ = known_;
  const auto count = static_cast<std::int64_t>(tokens_.size());
  return {.tokens = Tensor<std::int32_t>({count, places}, fresh, device), .begins = begins};
}

std::int64_t GrowingSequences::room() const noexcept {
  // Room takes memory, and time where XLA computes with all of it, so it is doubled rather than
  // made for tokens that a sequence that ends early never gets.
  constexpr std::int64_t most_ahead = 1024;
  std::size_t longest = 0;
  for (const auto& tokens : tokens_) {
    longest = std::max(longest, tokens.size());
  }
  const std::int64_t places =
      static_cast<std::int64_t>(longest) + std::min(options_.count, most_ahead);
  return facts_.limit == ContextLimit::None ? places : std::min(places, facts_.context);
}

bool GrowingSequences::draws(std::size_t sequence) const {
  return !ended_[sequence] && std::cmp_equal(tokens_[sequence].size(), known_);
}

std::vector<std::int32_t> GrowingSequences::drawn_tokens(std::span<const double> scores) const {
  const auto vocabulary = static_cast<std::size_t>(facts_.vocabulary);
  std::vector<std::int32_t> tokens(tokens_.size());
  // Rows of which no token is drawn have equal scores here.
  std::vector<double> filtered(options_.greedy ? 0 : scores.size());
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    if (!draws(i)) {
      continue;
    }
    const auto row = scores.subspan(i * vocabulary, vocabulary);
    const auto own = filtered_scores({row.begin(), row.end()}, tokens_[i], options_, where_);
    if (options_.greedy) {
      tokens[i] = likeliest_token(own, where_);
    } else {
      std::ranges::copy(own, filtered.begin() + static_cast<std::ptrdiff_t>(i * vocabulary));
    }
  }
  if (options_.greedy) {
    return tokens;
  }
  const auto count = static_cast<std::int64_t>(tokens_.size());
  return random_categorical(options_.key.fold_in(step_),
                            Tensor<double>({count, facts_.vocabulary}, filtered, Device::naive()),
                            1, where_)
      .values();
}

void GrowingSequences::grow(std::span<const double> scores) {
  const auto expected = tokens_.size() * static_cast<std::size_t>(facts_.vocabulary);
  if (scores.size() != expected) {
    fail_generation("there are " + std::to_string(scores.size()) + " scores of " +
                        std::to_string(tokens_.size()) + " sequences and a vocabulary of " +
                        std::to_string(facts_.vocabulary),
                    where_);
  }
  const auto tokens = drawn_tokens(scores);
  for (std::size_t i = 0; i < tokens_.size() && !stopped_; ++i) {
    if (draws(i)) {
      append(i, tokens[i]);
    } else if (ended_[i]) {
      tokens_[i].push_back(tokens_[i].back());
    }
  }
  ++step_;
  ++known_;
}

void GrowingSequences::append(std::size_t sequence, std::int32_t token) {
  tokens_[sequence].push_back(token);
  auto& drawn = drawn_[sequence];
  drawn.push_back(token);
  ended_[sequence] = std::cmp_greater_equal(drawn.size(), options_.count) ||
                     std::ranges::find(options_.end_tokens, token) != options_.end_tokens.end();
  stopped_ = options_.on_token && !options_.on_token({.sequence = sequence, .token = token});
}

}  // namespace detail
}  // namespace ddx::models
