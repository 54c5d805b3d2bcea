/// \file
/// Sequences divided into pieces.

#pragma once

#include "ddx/data/detail/place_iterator.h"
#include "ddx/data/epoch.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ranges>

namespace ddx::data {

/// A sequence in pieces of some size, each created on access; the last has the remaining samples.
/// Borrows the sequence.
template <std::ranges::random_access_range Range>
class Batches {
 public:
  using Piece = std::ranges::subrange<std::ranges::iterator_t<const Range>>;

  /// Throws: UsageError if the size of a piece is below 1, or parts of pieces are requested.
  Batches(const Range& range, std::int64_t batch_size, const EpochOptions& options = {})
      : range_(&range), batch_size_(batch_size), options_(options) {
    detail::check_epoch(0, batch_size, {});
    detail::check_whole(options_.part);
  }

  /// The number of pieces.
  [[nodiscard]] std::int64_t size() const {
    return detail::batch_count(std::ranges::ssize(*range_), batch_size_, options_);
  }
  /// Piece `number`, which must lie in [0, size()).
  [[nodiscard]] Piece operator[](std::int64_t number) const {
    const auto begin = std::ranges::begin(*range_);
    const auto count = static_cast<std::int64_t>(std::ranges::ssize(*range_));
    const auto end = std::min((number + 1) * batch_size_, count);
    return {begin + static_cast<std::ptrdiff_t>(number * batch_size_),
            begin + static_cast<std::ptrdiff_t>(end)};
  }

  [[nodiscard]] auto begin() const { return detail::PlaceIterator(*this, 0); }
  [[nodiscard]] auto end() const { return detail::PlaceIterator(*this, size()); }

 private:
  const Range* range_;
  std::int64_t batch_size_;
  EpochOptions options_;
};

/// The sequence in pieces of this size: `for (const auto& piece : in_batches(words, 32))`.
///
/// Throws:  UsageError if the size is below 1, or parts of pieces are asked for.
template <std::ranges::random_access_range Range>
[[nodiscard]] Batches<Range> in_batches(const Range& range, std::int64_t batch_size,
                                        const EpochOptions& options = {}) {
  return {range, batch_size, options};
}

}  // namespace ddx::data
