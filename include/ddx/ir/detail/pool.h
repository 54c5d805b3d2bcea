/// \file
/// Deduplicated objects: each distinct object is stored once.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ddx::ir::detail {

/// The hashes of a pool's objects, and where the objects are found by them.
class PoolIndex {
 public:
  static constexpr std::uint32_t empty = 0xFFFFFFFF;

  // Not inline: each program reads this, and few call it.
  PoolIndex();
  PoolIndex(const PoolIndex& other);
  PoolIndex(PoolIndex&& other) noexcept;
  PoolIndex& operator=(const PoolIndex& other);
  PoolIndex& operator=(PoolIndex&& other) noexcept;
  ~PoolIndex();

  /// Makes room for another object; one that is not added then changes nothing.
  void make_room() {
    if (2 * (hashes_.size() + 1) > slots_.size()) {
      grow();
    }
    if (hashes_.size() == hashes_.capacity()) {
      reserve();
    }
  }
  /// Where an object of this hash is looked for first, and where after a slot with another one.
  [[nodiscard]] std::size_t first_slot(std::uint64_t hash) const noexcept {
    return hash & (slots_.size() - 1);
  }
  [[nodiscard]] std::size_t slot_after(std::size_t slot) const noexcept {
    return (slot + 1) & (slots_.size() - 1);
  }
  /// The number of the object there, or `empty`.
  [[nodiscard]] std::uint32_t at(std::size_t slot) const noexcept { return slots_[slot]; }
  /// Notes the next object there. Requires `make_room`.
  void put(std::size_t slot, std::uint64_t hash) noexcept;
  /// The hashes of the objects, by number.
  [[nodiscard]] const std::vector<std::uint64_t>& hashes() const noexcept { return hashes_; }
  [[nodiscard]] bool has_same_hashes(const PoolIndex& other) const noexcept;

 private:
  void grow();
  void reserve();

  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint32_t> slots_;  // A power of two of them, at most half in use.
};

/// Numbers equal objects alike, from 0 in the order of their first appearance. `Traits` has
/// hash(object) and equal(a, b).
template <class T, class Traits>
class Pool {
 public:
  /// Returns the number of an object; a new one is added.
  std::uint32_t add(const T& object) {
    index_.make_room();
    const std::uint64_t hash = Traits::hash(object);
    for (std::size_t slot = index_.first_slot(hash);; slot = index_.slot_after(slot)) {
      const std::uint32_t number = index_.at(slot);
      if (number == PoolIndex::empty) {
        items_.push_back(object);
        index_.put(slot, hash);
        return static_cast<std::uint32_t>(items_.size() - 1);
      }
      if (hashes()[number] == hash && Traits::equal(items_[number], object)) {
        return number;
      }
    }
  }

  /// Whether the same objects have the same numbers in both.
  friend bool operator==(const Pool& a, const Pool& b) noexcept {
    return a.index_.has_same_hashes(b.index_) &&
           std::equal(a.items_.begin(), a.items_.end(), b.items_.begin(), Traits::equal);
  }

  /// The hashes of the objects, by number.
  [[nodiscard]] const std::vector<std::uint64_t>& hashes() const noexcept {
    return index_.hashes();
  }
  [[nodiscard]] const T& operator[](std::size_t number) const noexcept { return items_[number]; }
  [[nodiscard]] std::size_t size() const noexcept { return items_.size(); }

 private:
  std::vector<T> items_;
  PoolIndex index_;
};

}  // namespace ddx::ir::detail
