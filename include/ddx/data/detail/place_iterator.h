/// \file
/// Walking through what is made when asked for.

#pragma once

#include <cstdint>

namespace ddx::data::detail {

/// Stands at a place of a sequence, `sequence[place]`, which it borrows. For range-based loops.
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
