/// \file
/// Sequences divided into pieces.

#pragma once

#include "ddx/data/detail/place_iterator.h"
#include "ddx/data/epoch.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <utility>

namespace ddx::data {

namespace detail {

/// Elements that can be reached by their numbers: a container, an array or a view.
template <class Range>
concept Sequence = requires(const Range& range) {
  { std::begin(range) } -> std::random_access_iterator;
  std::end(range) - std::begin(range);
};

/// Some elements of a sequence, from one position to another.
template <std::random_access_iterator Iterator>
class Piece {
 public:
  Piece(Iterator begin, Iterator end) : begin_(std::move(begin)), end_(std::move(end)) {}

  [[nodiscard]] Iterator begin() const { return begin_; }
  [[nodiscard]] Iterator end() const { return end_; }
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(end_ - begin_); }
  [[nodiscard]] bool empty() const { return begin_ == end_; }
  [[nodiscard]] decltype(auto) operator[](std::ptrdiff_t place) const { return begin_[place]; }
  [[nodiscard]] decltype(auto) front() const { return *begin_; }
  [[nodiscard]] decltype(auto) back() const { return *(end_ - 1); }
  /// Where the elements lie one after the other.
  [[nodiscard]] auto data() const
    requires std::contiguous_iterator<Iterator>
  {
    return std::to_address(begin_);
  }

 private:
  Iterator begin_;
  Iterator end_;
};

}  // namespace detail

/// A sequence in pieces of some size, each created on access; the last has the remaining samples.
/// Borrows the sequence.
template <detail::Sequence Range>
class Batches {
 public:
  using Piece = detail::Piece<decltype(std::begin(std::declval<const Range&>()))>;

  /// Throws: UsageError if the size of a piece is below 1, or parts of pieces are requested.
  Batches(const Range& range, std::int64_t batch_size, const EpochOptions& options = {})
      : range_(&range), batch_size_(batch_size), options_(options) {
    detail::check_epoch(0, batch_size, {});
    detail::check_whole(options_.part);
  }

  /// The number of pieces.
  [[nodiscard]] std::int64_t size() const {
    return detail::batch_count(length(), batch_size_, options_);
  }
  /// Piece `number`, which must lie in [0, size()).
  [[nodiscard]] Piece operator[](std::int64_t number) const {
    const auto begin = std::begin(*range_);
    const std::int64_t end = std::min((number + 1) * batch_size_, length());
    return {begin + static_cast<std::ptrdiff_t>(number * batch_size_),
            begin + static_cast<std::ptrdiff_t>(end)};
  }

  [[nodiscard]] auto begin() const { return detail::PlaceIterator(*this, 0); }
  [[nodiscard]] auto end() const { return detail::PlaceIterator(*this, size()); }

 private:
  [[nodiscard]] std::int64_t length() const {
    return static_cast<std::int64_t>(std::end(*range_) - std::begin(*range_));
  }

  const Range* range_;
  std::int64_t batch_size_;
  EpochOptions options_;
};

/// The sequence in pieces of this size: `for (const auto& piece : in_batches(words, 32))`.
///
/// Throws:  UsageError if the size is below 1, or parts of pieces are asked for.
template <detail::Sequence Range>
[[nodiscard]] Batches<Range> in_batches(const Range& range, std::int64_t batch_size,
                                        const EpochOptions& options = {}) {
  return {range, batch_size, options};
}

}  // namespace ddx::data
