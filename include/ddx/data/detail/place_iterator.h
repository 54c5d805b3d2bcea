/// \file
/// Iteration over sequences whose elements are created on access.

#pragma once

#include <cstdint>

namespace ddx::data::detail {

/// A position of a sequence, `sequence[place]`, which it borrows. For range-based loops.
template <class Sequence>
class PlaceIterator {
 public:
  PlaceIterator(const Sequence& sequence, std::int64_t place) noexcept
      : sequence_(&sequence), place_(place) {}

  [[nodiscard]] auto operator*() const { return (*sequence_)[place_]; }
  PlaceIterator& operator++() noexcept {
    ++place_;
    return *this;
  }
  friend bool operator==(const PlaceIterator& a, const PlaceIterator& b) noexcept {
    return a.place_ == b.place_;
  }

 private:
  const Sequence* sequence_;
  std::int64_t place_;
};

}  // namespace ddx::data::detail
