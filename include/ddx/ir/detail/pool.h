/// \file
/// Deduplicated objects: each distinct object is stored once.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ddx::ir::detail {

/// Numbers equal objects alike, from 0 in the order of their first appearance. `Traits` has
/// hash(object) and equal(a, b).
template <class T, class Traits>
class Pool {
 public:
  /// Returns the number of an object; a new one is added.
  std::uint32_t add(const T& object) {
    if (2 * (items_.size() + 1) > slots_.size()) {
      grow();
    }
    const std::uint64_t hash = Traits::hash(object);
    for (std::size_t slot = hash & (slots_.size() - 1);; slot = (slot + 1) & (slots_.size() - 1)) {
      const std::uint32_t number = slots_[slot];
      if (number == empty) {
        return append(object, hash, slot);
      }
      if (hashes_[number] == hash && Traits::equal(items_[number], object)) {
        return number;
      }
    }
  }

  /// Whether the same objects have the same numbers in both.
  friend bool operator==(const Pool& a, const Pool& b) noexcept {
    return a.hashes_ == b.hashes_ &&
           std::equal(a.items_.begin(), a.items_.end(), b.items_.begin(), Traits::equal);
  }

  /// The hashes of the objects, by number.
  [[nodiscard]] const std::vector<std::uint64_t>& hashes() const noexcept { return hashes_; }
  [[nodiscard]] const T& operator[](std::size_t number) const noexcept { return items_[number]; }
  [[nodiscard]] std::size_t size() const noexcept { return items_.size(); }

 private:
  static constexpr std::uint32_t empty = 0xFFFFFFFF;

  /// If memory runs out, the pool is as before.
  std::uint32_t append(const T& object, std::uint64_t hash, std::size_t slot) {
    if (hashes_.size() == hashes_.capacity()) {
      hashes_.reserve(std::max<std::size_t>(16, 2 * hashes_.capacity()));
    }
    const auto number = static_cast<std::uint32_t>(items_.size());
    items_.push_back(object);
    hashes_.push_back(hash);
    slots_[slot] = number;
    return number;
  }

  void grow() {
    slots_.assign(slots_.empty() ? 16 : 2 * slots_.size(), empty);
    for (std::size_t number = 0; number < items_.size(); ++number) {
      std::size_t slot = hashes_[number] & (slots_.size() - 1);
      while (slots_[slot] != empty) {
        slot = (slot + 1) & (slots_.size() - 1);
      }
      slots_[slot] = static_cast<std::uint32_t>(number);
    }
  }

  std::vector<T> items_;
  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint32_t> slots_;  // A power of two of them, at most half in use.
};

}  // namespace ddx::ir::detail
