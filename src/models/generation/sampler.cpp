#include "ddx/models/generation/sampler.h"

#include "ddx/core/error.h"
#include "ddx/models/generation/generate_options.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <source_location>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ddx::models {
namespace {

constexpr double excluded = -std::numeric_limits<double>::infinity();

void require_above_zero(const char* filter, const char* option, double value,
                        const std::source_location& where) {
  if (!(value > 0) || !std::isfinite(value)) {
    throw UsageError(filter,
                     std::string(option) + " is " + std::to_string(value) +
                         ", a finite number above 0 is required",
                     where);
  }
}

void require_probability(const char* filter, double p, const std::source_location& where) {
  if (!(p >= 0 && p <= 1)) {
    throw UsageError(filter, "p is " + std::to_string(p) + ", expected 0 <= p <= 1", where);
  }
}

/// NaN has no place in an order.
void require_order(const char* filter, const std::vector<double>& scores,
                   const std::source_location& where) {
  const auto nan = std::ranges::find_if(scores, [](double score) { return std::isnan(score); });
  if (nan != scores.end()) {
    throw UsageError(
        filter, "the score of token " + std::to_string(nan - scores.begin()) + " is NaN", where);
  }
}

/// The numbers of the tokens that are not excluded, the least likely first; of equal scores the
/// lowest number.
std::vector<std::size_t> rising_tokens(const std::vector<double>& scores) {
  std::vector<std::size_t> tokens;
  for (std::size_t token = 0; token < scores.size(); ++token) {
    if (scores[token] != excluded) {
      tokens.push_back(token);
    }
  }
  std::ranges::sort(tokens, [&](std::size_t a, std::size_t b) {
    return scores[a] != scores[b] ? scores[a] < scores[b] : a < b;
  });
  return tokens;
}

}  // namespace

std::vector<double> penalized_scores(std::vector<double> scores,
                                     std::span<const std::int32_t> tokens, double penalty,
                                     std::source_location where) {
  constexpr const char* name = "penalized_scores";
  require_above_zero(name, "penalty", penalty, where);
  std::vector<bool> seen(scores.size());
  for (const std::int32_t token : tokens) {
    const auto place = static_cast<std::size_t>(token);
    if (token < 0 || place >= scores.size()) {
      throw UsageError(name,
                       "token " + std::to_string(token) + " is not in [0, " +
                           std::to_string(scores.size()) + ")",
                       where);
    }
    if (!seen[place]) {
      seen[place] = true;
      scores[place] = scores[place] < 0 ? scores[place] * penalty : scores[place] / penalty;
    }
  }
  return scores;
}

std::vector<double> tempered_scores(std::vector<double> scores, double temperature,
                                    std::source_location where) {
  require_above_zero("tempered_scores", "temperature", temperature, where);
  for (double& score : scores) {
    score /= temperature;
  }
  return scores;
}

std::vector<double> top_k_scores(std::vector<double> scores, std::int64_t k,
                                 std::source_location where) {
  constexpr const char* name = "top_k_scores";
  if (k < 0) {
    throw UsageError(name, "k is " + std::to_string(k) + ", at least 0 is required", where);
  }
  require_order(name, scores, where);
  if (k == 0 || std::cmp_greater_equal(k, scores.size())) {
    return scores;
  }
  std::vector<double> falling = scores;
  const auto last = falling.begin() + (k - 1);
  std::ranges::nth_element(falling, last, std::greater());
  std::ranges::replace_if(
      scores, [least = *last](double score) { return score < least; }, excluded);
  return scores;
}

std::vector<double> top_p_scores(std::vector<double> scores, double p, std::source_location where) {
  constexpr const char* name = "top_p_scores";
  require_probability(name, p, where);
  require_order(name, scores, where);
  const auto tokens = rising_tokens(scores);
  if (tokens.empty()) {
    return scores;
  }
  const double largest = scores[tokens.back()];
  double total = 0;
  for (const std::size_t token : tokens) {
    total += std::exp(scores[token] - largest);
  }
  double sum = 0;
  for (const std::size_t token : std::span(tokens).first(tokens.size() - 1)) {
    sum += std::exp(scores[token] - largest) / total;
    if (!(sum <= 1 - p)) {
      break;
    }
    scores[token] = excluded;
  }
  return scores;
}

std::vector<double> min_p_scores(std::vector<double> scores, double p, std::source_location where) {
  constexpr const char* name = "min_p_scores";
  require_probability(name, p, where);
  require_order(name, scores, where);
  const auto largest = std::ranges::max_element(scores);
  if (largest == scores.end()) {
    return scores;
  }
  std::ranges::replace_if(
      scores, [p, top = *largest](double score) { return std::exp(score - top) < p; }, excluded);
  return scores;
}

std::vector<double> filtered_scores(std::vector<double> scores,
                                    std::span<const std::int32_t> tokens,
                                    const GenerateOptions& options, std::source_location where) {
  if (options.repetition_penalty != 1) {
    scores = penalized_scores(std::move(scores), tokens, options.repetition_penalty, where);
  }
  if (options.greedy) {
    return scores;
  }
  if (options.temperature != 1) {
    scores = tempered_scores(std::move(scores), options.temperature, where);
  }
  if (options.top_k != 0) {
    scores = top_k_scores(std::move(scores), options.top_k, where);
  }
  if (options.top_p != 1) {
    scores = top_p_scores(std::move(scores), options.top_p, where);
  }
  if (options.min_p != 0) {
    scores = min_p_scores(std::move(scores), options.min_p, where);
  }
  return scores;
}

}  // namespace ddx::models
