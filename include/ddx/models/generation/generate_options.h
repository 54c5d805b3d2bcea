/// \file
/// The settings of generation.

#pragma once

#include "ddx/core/random_key.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace ddx::models {

/// A token that was drawn.
struct GeneratedToken {
  std::size_t sequence = 0;  ///< Which of the sequences it continues.
  std::int32_t token = 0;
};

/// How tokens are drawn, and when sequences end. The filters work in the order of their members
/// here; see ddx/models/generation/sampler.h.
struct GenerateOptions {
  std::int64_t count = 100;  ///< How many tokens each sequence gets at most.
  /// What the scores of tokens in the sequence, its beginning included, are divided by where they
  /// are above 0, and multiplied by where they are below; above 0.
  double repetition_penalty = 1;
  /// Takes the token with the largest score, the first of equal ones; what follows has no effect.
  bool greedy = false;
  double temperature = 1;  ///< What scores are divided by; above 0.
  std::int64_t top_k = 0;  ///< How many of the likeliest tokens may come; 0: all.
  double top_p = 1;        ///< The likeliest tokens may come that together have this probability.
  double min_p = 0;        ///< The least probability of a token, as a part of the largest one.
  RandomKey key{0};
  std::vector<std::int32_t> end_tokens = {};  ///< A sequence ends with the first of these.
  /// Called with each token as soon as it is drawn; all sequences end where it returns false.
  std::function<bool(const GeneratedToken&)> on_token = {};
};

}  // namespace ddx::models
