/// \file
/// Byte-pair models made from texts.

#pragma once

#include "ddx/data/text/byte_pair_model.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ddx::data {

/// How a byte-pair model is made.
struct BytePairTrainingOptions {
  /// How many tokens it has at most: the special ones, the 256 bytes, then one for each merge.
  std::int64_t vocabulary_size = 30000;
  /// Pairs that the texts hold less often are not merged.
  std::int64_t min_frequency = 2;
  /// Tokens that get the first ids. Nothing in the texts is taken for them.
  std::vector<std::string> special_tokens = {};
  /// As in `BytePairEncoder`.
  bool add_prefix_space = false;
};

/// Makes a byte-pair model: merges the most frequent pair of neighbours within words, again and
/// again. Of equally frequent pairs that of the smallest ids goes first, so equal texts give equal
/// models, in whatever order they come.
///
/// Throws:  UsageError if `vocabulary_size` is below the number of special tokens and bytes,
///          `min_frequency` below 1, or a special token stands there twice or is one of the bytes.
/// Cost:    linear in the texts; then for each merge, in the length of the words that hold it.
/// Source:  R. Sennrich, B. Haddow, A. Birch, "Neural machine translation of rare words with
///          subword units", ACL 2016.
[[nodiscard]] BytePairModel train_byte_pair_model(std::span<const std::string> texts,
                                                  const BytePairTrainingOptions& options);

}  // namespace ddx::data
