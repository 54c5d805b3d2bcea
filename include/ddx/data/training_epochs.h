/// \file
/// Successive epochs of shuffled batches.

#pragma once

#include "ddx/core/random_key.h"
#include "ddx/data/epoch.h"

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace ddx::data {

/// The order of an epoch's samples, from their number and the epoch's key.
using OrderFunction = std::function<std::vector<std::int64_t>(std::int64_t, RandomKey)>;

/// The options of training epochs.
struct TrainingEpochsOptions {
  std::int64_t batch_size = 1;
  RandomKey key{0};        ///< Determines the order of the samples, and their augmentation.
  bool drop_last = false;  ///< Whether an epoch drops a last, smaller batch.
  OrderFunction order = shuffled_order;
  BatchPart part = {};  ///< The part of each batch to create.
};

/// The epochs of a training: `epochs[i]` is a function of the key and i only. The sequence is
/// infinite, and an epoch is created on access. Borrows the data set.
///
/// Example:
///   for (std::int64_t number = 0; number < 10; ++number) {
///     for (const auto& batch : epochs[number]) { ... }
///   }
template <Dataset Data>
class TrainingEpochs {
 public:
  /// Throws: UsageError if the batch size is below 1, or there is no such part.
  explicit TrainingEpochs(const Data& data, TrainingEpochsOptions options = {})
      : data_(&data), options_(std::move(options)) {
    detail::check_epoch(0, options_.batch_size, {});
    detail::check_part(options_.part);
  }

  /// Epoch `number`, which is not negative.
  ///
  /// Throws:  UsageError if the order names a sample that does not exist.
  [[nodiscard]] Epoch<Data> operator[](std::int64_t number) const {
    const auto key = options_.key.fold_in(static_cast<std::uint64_t>(number));
    return Epoch<Data>(
        *data_, options_.batch_size, options_.order(data_->size(), key),
        {.drop_last = options_.drop_last, .key = key.split().second, .part = options_.part});
  }

 private:
  const Data* data_;
  TrainingEpochsOptions options_;
};

}  // namespace ddx::data
