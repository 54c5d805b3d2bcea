/// \file
/// Orders that group samples of similar size into batches, so that batches have little padding.

#pragma once

#include "ddx/core/random_key.h"

#include <cstdint>
#include <span>
#include <vector>

namespace ddx::data {

/// How samples are sorted for training.
struct BucketOptions {
  std::int64_t batch_size = 1;
  /// How many batches are sorted together: more give batches of more similar sizes, fewer give more
  /// randomness.
  std::int64_t batches_per_sort = 100;
};

/// A random order of the samples, divided into runs of `batches_per_sort` batches, each sorted by
/// decreasing size; samples of one size stay in random order. The first batch has the largest
/// sample, so that a lack of memory shows at once. A function of sizes, options and key only.
///
/// Throws:  UsageError if an option is below 1.
/// Example:
///   TrainingEpochs epochs(sentences, {.batch_size = 32, .order = [&](std::int64_t, RandomKey key)
///   {
///     return bucketed_order(lengths, {.batch_size = 32}, key);
///   }});
[[nodiscard]] std::vector<std::int64_t> bucketed_order(std::span<const std::int64_t> sizes,
                                                       const BucketOptions& options, RandomKey key);

/// The samples by decreasing size, those of one size in their own order: for inference, where
/// `order[i]` is the sample of result i.
[[nodiscard]] std::vector<std::int64_t> size_order(std::span<const std::int64_t> sizes);

}  // namespace ddx::data
