/// \file
/// Filters of the scores of tokens before one is drawn.
///
/// A score of -infinity excludes its token. All filters are those of transformers with at least one
/// token that is kept. They compute in double.

#pragma once

#include "ddx/models/generation/generate_options.h"

#include <cstdint>
#include <source_location>
#include <span>
#include <vector>

namespace ddx::models {

/// Makes tokens that were seen less likely: their positive scores are divided by the penalty, their
/// negative ones multiplied by it, once for each token.
///
/// Throws:  UsageError where the penalty is not above 0, or a token is not in [0, scores).
/// Source:  N. S. Keskar et al., "CTRL: a conditional transformer language model for controllable
///          generation", 2019, section 4.1; RepetitionPenaltyLogitsProcessor of transformers.
[[nodiscard]] std::vector<double> penalized_scores(
    std::vector<double> scores, std::span<const std::int32_t> tokens, double penalty,
    std::source_location where = std::source_location::current());

/// Scores divided by a temperature.
///
/// Throws:  UsageError where the temperature is not above 0.
[[nodiscard]] std::vector<double> tempered_scores(
    std::vector<double> scores, double temperature,
    std::source_location where = std::source_location::current());

/// Excludes tokens with lower scores than the one of rank `k`; 0 excludes none. Tokens whose scores
/// equal that one stay.
///
/// Throws:  UsageError where `k` is negative, or a score is NaN.
/// Cost:    O(scores).
[[nodiscard]] std::vector<double> top_k_scores(
    std::vector<double> scores, std::int64_t k,
    std::source_location where = std::source_location::current());

/// Excludes the least likely tokens as long as those that are excluded have together at most the
/// probability 1 - `p`; of equal scores first that of the lowest token. The likeliest one stays.
///
/// Throws:  UsageError where `p` is not in [0, 1], or a score is NaN.
/// Cost:    O(m log m) with the m tokens that are not excluded before.
/// Source:  A. Holtzman et al., "The curious case of neural text degeneration", ICLR 2020.
[[nodiscard]] std::vector<double> top_p_scores(
    std::vector<double> scores, double p,
    std::source_location where = std::source_location::current());

/// Excludes tokens whose probability is below `p` times the largest one.
///
/// Throws:  UsageError where `p` is not in [0, 1], or a score is NaN.
/// Cost:    O(scores).
/// Source:  N. N. Minh et al., "Turning up the heat: min-p sampling for creative and coherent LLM
///          outputs", ICLR 2025.
[[nodiscard]] std::vector<double> min_p_scores(
    std::vector<double> scores, double p,
    std::source_location where = std::source_location::current());

/// The scores of the token after these, with all filters that the options ask for: the penalty of
/// repetitions, and, unless greedy, temperature, top k, top p and min p, in this order.
///
/// Throws:  UsageError as the filters.
/// Example:
///   const auto scores = models::filtered_scores(last, tokens, {.temperature = 0.8, .top_p = 0.9});
[[nodiscard]] std::vector<double> filtered_scores(
    std::vector<double> scores, std::span<const std::int32_t> tokens,
    const GenerateOptions& options, std::source_location where = std::source_location::current());

}  // namespace ddx::models
