/// \file
/// Trains byte-pair models.

#pragma once

#include "ddx/data/text/byte_pair_model.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ddx::data {

/// The options of training.
struct BytePairTrainingOptions {
  /// The maximum number of tokens: the special ones, the 256 bytes, then one for each merge.
  std::int64_t vocabulary_size = 30000;
  /// Pairs that occur less often are not merged.
  std::int64_t min_frequency = 2;
  /// Tokens that get the first ids. They are not matched in the texts.
  std::vector<std::string> special_tokens = {};
  /// As in `BytePairEncoder`.
  bool add_prefix_space = false;
};

/// Trains a byte-pair model: repeatedly merges the most frequent pair of neighbours within words.
/// Of equally frequent pairs that of the smallest ids is merged first, so equal texts give equal
/// models, in any order.
///
/// Throws:  UsageError if `vocabulary_size` is below the number of special tokens and bytes,
///          `min_frequency` below 1, or a special token stands there twice or is one of the bytes.
/// Cost:    linear in the texts; then for each merge, in the length of the words that contain it.
/// Source:  R. Sennrich, B. Haddow, A. Birch, "Neural machine translation of rare words with
///          subword units", ACL 2016.
[[nodiscard]] BytePairModel train_byte_pair_model(std::span<const std::string> texts,
                                                  const BytePairTrainingOptions& options);

}  // namespace ddx::data
