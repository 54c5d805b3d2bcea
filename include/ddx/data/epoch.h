/// \file
/// One pass over a data set, in batches.

#pragma once

#include "ddx/core/random_key.h"
#include "ddx/data/detail/place_iterator.h"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace ddx::data {

/// A data set: a number of samples, and a function that collates some of them to a batch.
template <class T>
concept Dataset = requires(const T& data, std::span<const std::int64_t> samples) {
  { data.size() } -> std::convertible_to<std::int64_t>;
  data.batch(samples);
};

/// A data set that can also augment its samples at random, determined by the key.
template <class T>
concept RandomDataset =
    Dataset<T> && requires(const T& data, std::span<const std::int64_t> samples, RandomKey key) {
      { data.batch(samples, key) } -> std::same_as<decltype(data.batch(samples))>;
    };

/// The numbers 0 to count - 1 in the order of a key: each order is equally likely.
///
/// Source:  R. Durstenfeld, "Algorithm 235: random permutation", CACM 7 (1964).
[[nodiscard]] std::vector<std::int64_t> shuffled_order(std::int64_t count, RandomKey key);

/// The numbers 0 to count - 1 in their own order.
[[nodiscard]] std::vector<std::int64_t> plain_order(std::int64_t count);

/// The part of each batch to create: that of one of several replicas.
struct BatchPart {
  std::int64_t number = 0;
  std::int64_t count = 1;

  friend bool operator==(const BatchPart&, const BatchPart&) = default;
};

/// How an order is divided into batches.
struct EpochOptions {
  bool drop_last = false;  ///< Whether to drop a last, smaller batch.
  /// The key for a RandomDataset; without it, samples are not augmented.
  std::optional<RandomKey> key = std::nullopt;
  BatchPart part = {};
};

namespace detail {

/// Throws: UsageError if `batch_size` is below 1 or a sample of the order does not exist.
void check_epoch(std::int64_t size, std::int64_t batch_size, std::span<const std::int64_t> order);

/// Throws: UsageError if there is no such part; names both numbers.
void check_part(const BatchPart& part);

/// Throws: UsageError if it is not the only part.
void check_whole(const BatchPart& part);

/// The number of batches for this many samples.
[[nodiscard]] constexpr std::int64_t batch_count(std::int64_t samples, std::int64_t batch_size,
                                                 const EpochOptions& options) noexcept {
  const bool is_rest_kept = samples % batch_size != 0 && !options.drop_last;
  return samples / batch_size + (is_rest_kept ? 1 : 0);
}

}  // namespace detail

/// A data set in some order, divided into batches. A batch is created on access, and batches can be
/// accessed in any order, so that training can resume in the middle. The last one has the remaining
/// samples. Borrows the data set.
///
/// With several parts, part r of n has the samples from size r / n to size (r + 1) / n of each
/// batch, rounded down; together they have each sample once. If a batch has fewer samples than
/// there are parts, a part without samples contains the batch's first sample, so that there is
/// something to compute; `own_samples_in` is then 0. Random augmentation differs between parts.
template <Dataset Data>
class Epoch {
 public:
  /// Throws: UsageError if `batch_size` is below 1, a sample of the order does not exist, or there
  ///         is no such part.
  Epoch(const Data& data, std::int64_t batch_size, std::vector<std::int64_t> order,
        const EpochOptions& options = {})
      : data_(data), batch_size_(batch_size), order_(std::move(order)), options_(options) {
    detail::check_epoch(data.size(), batch_size_, {order_.data(), order_.size()});
    detail::check_part(options_.part);
  }

  /// The number of batches.
  [[nodiscard]] std::int64_t size() const noexcept {
    return detail::batch_count(static_cast<std::int64_t>(order_.size()), batch_size_, options_);
  }

  /// The number of samples in batch `step`, which must lie in [0, size()); of all parts.
  [[nodiscard]] std::int64_t samples_in(std::int64_t step) const noexcept {
    return static_cast<std::int64_t>(samples(step).size());
  }

  /// The number of samples in this part of batch `step`, which must lie in [0, size()).
  [[nodiscard]] std::int64_t own_samples_in(std::int64_t step) const noexcept {
    return static_cast<std::int64_t>(own_samples(step).size());
  }

  /// This part of batch `step`, which must lie in [0, size()).
  [[nodiscard]] auto operator[](std::int64_t step) const {
    auto own = own_samples(step);
    if (own.empty()) {
      own = samples(step).first(1);
    }
    if constexpr (RandomDataset<Data>) {
      if (options_.key) {
        const auto key = options_.key->fold_in(static_cast<std::uint64_t>(step));
        return data_.batch(own,
                           options_.part.count == 1
                               ? key
                               : key.fold_in(static_cast<std::uint64_t>(options_.part.number)));
      }
    }
    return data_.batch(own);
  }

  [[nodiscard]] auto begin() const noexcept { return detail::PlaceIterator(*this, 0); }
  [[nodiscard]] auto end() const noexcept { return detail::PlaceIterator(*this, size()); }

 private:
  [[nodiscard]] std::span<const std::int64_t> samples(std::int64_t step) const noexcept {
    const auto first = static_cast<std::size_t>(step * batch_size_);
    const auto count = std::min(order_.size() - first, static_cast<std::size_t>(batch_size_));
    return {order_.data() + first, count};
  }

  [[nodiscard]] std::span<const std::int64_t> own_samples(std::int64_t step) const noexcept {
    const auto all = samples(step);
    const auto [number, count] = options_.part;
    const auto size = static_cast<std::int64_t>(all.size());
    const std::int64_t begin = size * number / count;
    return all.subspan(static_cast<std::size_t>(begin),
                       static_cast<std::size_t>(size * (number + 1) / count - begin));
  }

  const Data& data_;
  std::int64_t batch_size_;
  std::vector<std::int64_t> order_;
  EpochOptions options_;
};

}  // namespace ddx::data
