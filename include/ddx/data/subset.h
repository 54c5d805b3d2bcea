/// \file
/// Parts of data sets.

#pragma once

#include "ddx/core/random_key.h"
#include "ddx/data/epoch.h"
#include "ddx/data/samples.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace ddx::data {
namespace detail {

/// The places with these numbers.
[[nodiscard]] std::vector<std::int64_t> places_at(const std::vector<std::int64_t>& places,
                                                  std::span<const std::int64_t> numbers);

}  // namespace detail

/// Some samples of a data set, as a data set. Borrows the whole.
template <Dataset Data>
class Subset {
 public:
  /// Throws: UsageError if a place does not exist; names it and the size.
  Subset(const Data& data, std::vector<std::int64_t> places)
      : data_(&data), places_(std::move(places)) {
    detail::check_places("Subset", {places_.data(), places_.size()},
                         static_cast<std::size_t>(data.size()));
  }

  [[nodiscard]] std::int64_t size() const noexcept {
    return static_cast<std::int64_t>(places_.size());
  }
  /// These samples, each in [0, size()).
  [[nodiscard]] auto batch(std::span<const std::int64_t> samples) const {
    return data_->batch(in_whole(samples));
  }
  /// These samples, augmented by the key.
  [[nodiscard]] auto batch(std::span<const std::int64_t> samples, RandomKey key) const
    requires RandomDataset<Data>
  {
    return data_->batch(in_whole(samples), key);
  }
  /// The positions of the samples in the whole.
  [[nodiscard]] const std::vector<std::int64_t>& places() const noexcept { return places_; }

 private:
  [[nodiscard]] std::vector<std::int64_t> in_whole(std::span<const std::int64_t> samples) const {
    return detail::places_at(places_, samples);
  }

  const Data* data_;
  std::vector<std::int64_t> places_;
};

/// Two parts of a data set without a common sample.
template <Dataset Data>
struct Split {
  Subset<Data> training;
  Subset<Data> validation;
};

namespace detail {

/// The numbers in [begin, end).
///
/// Throws:  UsageError as slice.
[[nodiscard]] std::vector<std::int64_t> places_between(std::int64_t begin, std::int64_t end,
                                                       std::int64_t size);

/// The numbers below `size` in an order of the key, divided in two; the second part has `share` of
/// them, rounded down.
///
/// Throws:  UsageError as split.
[[nodiscard]] std::pair<std::vector<std::int64_t>, std::vector<std::int64_t>> split_places(
    std::int64_t size, double share, RandomKey key);

}  // namespace detail

/// The samples in [begin, end).
///
/// Throws:  UsageError if the two are not in order within the data set.
template <Dataset Data>
[[nodiscard]] Subset<Data> slice(const Data& data, std::int64_t begin, std::int64_t end) {
  return {data, detail::places_between(begin, end, data.size())};
}

/// Reserves a share of the samples for validation, rounded down, selected by the key. Borrows the
/// data set.
///
/// Throws:  UsageError if the share is not in [0, 1].
/// Example: const auto [training, validation] = split(digits, 0.1, RandomKey(1));
template <Dataset Data>
[[nodiscard]] Split<Data> split(const Data& data, double validation_share, RandomKey key) {
  auto [training, validation] = detail::split_places(data.size(), validation_share, key);
  return {.training = {data, std::move(training)}, .validation = {data, std::move(validation)}};
}

}  // namespace ddx::data
