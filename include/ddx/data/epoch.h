/// \file
/// One pass through a data set, in batches.

#pragma once

#include "ddx/core/random_key.h"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace ddx::data {

/// A data set: a number of samples, and a way to put some of them into a batch.
template <class T>
concept Dataset = requires(const T& data, std::span<const std::int64_t> samples) {
  { data.size() } -> std::convertible_to<std::int64_t>;
  data.batch(samples);
};

/// The numbers 0 to count - 1 in the order of a key: each order is equally likely.
///
/// Source:  R. Durstenfeld, "Algorithm 235: random permutation", CACM 7 (1964).
[[nodiscard]] std::vector<std::int64_t> shuffled_order(std::int64_t count, RandomKey key);

/// The numbers 0 to count - 1 in their own order.
[[nodiscard]] std::vector<std::int64_t> plain_order(std::int64_t count);

namespace detail {

/// Throws: UsageError where `batch_size` is below 1 or a sample of the order does not exist.
void check_epoch(std::int64_t size, std::int64_t batch_size, std::span<const std::int64_t> order);

}  // namespace detail

/// A data set in some order, cut into batches. Batches are made when asked for, and any of them can
/// be asked for, so that training can go on in the middle. The last one holds what is left. Borrows
/// the data set.
template <Dataset Data>
class Epoch {
 public:
  /// Throws: UsageError where `batch_size` is below 1 or a sample of the order does not exist.
  Epoch(const Data& data, std::int64_t batch_size, std::vector<std::int64_t> order)
      : data_(data), batch_size_(batch_size), order_(std::move(order)) {
    detail::check_epoch(data.size(), batch_size_, order_);
  }

  /// The number of batches.
  [[nodiscard]] std::int64_t size() const noexcept {
    const auto count = static_cast<std::int64_t>(order_.size());
    return count / batch_size_ + (count % batch_size_ == 0 ? 0 : 1);
  }

  /// The number of samples in batch `step`, which must lie in [0, size()).
  [[nodiscard]] std::int64_t samples_in(std::int64_t step) const noexcept {
    return static_cast<std::int64_t>(samples(step).size());
  }

  /// Batch `step`, which must lie in [0, size()).
  [[nodiscard]] auto operator[](std::int64_t step) const { return data_.batch(samples(step)); }

  /// Walks through the batches.
  class Iterator {
   public:
    Iterator(const Epoch& epoch, std::int64_t step) noexcept : epoch_(&epoch), step_(step) {}
    [[nodiscard]] auto operator*() const { return (*epoch_)[step_]; }
    Iterator& operator++() noexcept {
      ++step_;
      return *this;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) noexcept {
      return a.step_ == b.step_;
    }

   private:
    const Epoch* epoch_;
    std::int64_t step_;
  };

  [[nodiscard]] Iterator begin() const noexcept { return {*this, 0}; }
  [[nodiscard]] Iterator end() const noexcept { return {*this, size()}; }

 private:
  [[nodiscard]] std::span<const std::int64_t> samples(std::int64_t step) const noexcept {
    const auto first = static_cast<std::size_t>(step * batch_size_);
    const auto count = std::min(order_.size() - first, static_cast<std::size_t>(batch_size_));
    return std::span(order_).subspan(first, count);
  }

  const Data& data_;
  std::int64_t batch_size_;
  std::vector<std::int64_t> order_;
};

}  // namespace ddx::data
