/// \file
/// Data sets with random augmentation.

#pragma once

#include "ddx/core/random_key.h"
#include "ddx/data/epoch.h"

#include <cstdint>
#include <span>
#include <utility>

namespace ddx::data {

/// A data set whose batches are augmented at random in training. Without a key, as in validation,
/// samples are unchanged. A batch is a function of its samples and its key only, so a resumed
/// training sees the same ones. Borrows the data set.
///
/// Example:
///   const Augmented pictures(photos, [](ImageBatch batch, RandomKey key) {
///     batch.images = random_flip(batch.images, key);
///     return batch;
///   });
template <Dataset Data, class Change>
class Augmented {
 public:
  /// `change(batch, key)` returns a batch of the same type.
  Augmented(const Data& data, Change change) : data_(&data), change_(std::move(change)) {}

  [[nodiscard]] std::int64_t size() const { return data_->size(); }
  /// These samples, each in [0, size()), unchanged.
  [[nodiscard]] auto batch(std::span<const std::int64_t> samples) const {
    return data_->batch(samples);
  }
  /// These samples, each in [0, size()), augmented.
  [[nodiscard]] auto batch(std::span<const std::int64_t> samples, RandomKey key) const
      -> decltype(std::declval<const Data&>().batch(samples)) {
    return change_(data_->batch(samples), key);
  }

 private:
  const Data* data_;
  Change change_;
};

}  // namespace ddx::data
