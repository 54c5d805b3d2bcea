/// \file
/// Numbers that belong to numbers elsewhere, found by their addresses.

#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace ddx::detail {

/// For each address one real number, zero until it is written.
///
/// The cotangents and tangents of what lies in memory: a place that is known at run time only has
/// no variable beside it. What is written there kills the cotangent that its place had, so an
/// address that is used again begins at zero.
///
/// Cost:    a probe per access; 24 bytes per address at a load of at most one half.
class AddressTable {
 public:
  AddressTable() = default;
  AddressTable(const AddressTable&) = delete;
  AddressTable& operator=(const AddressTable&) = delete;
  ~AddressTable() { delete[] entries_; }

  /// Returns the number that belongs to `place`, valid until the next call.
  ///
  /// Throws: std::bad_alloc.
  template <class T>
  [[nodiscard]] T& at(const T& place) {
    static_assert(std::is_floating_point_v<T>);
    if (2 * (count_ + 1) > capacity_) [[unlikely]] {
      grow();
    }
    Entry& entry = find(&place);
    if (entry.address == nullptr) {
      entry.address = &place;
      ++count_;
    }
    return *reinterpret_cast<T*>(entry.number);  // All bits zero: the number zero.
  }

  [[nodiscard]] std::size_t size() const noexcept { return count_; }

 private:
  struct Entry {
    const void* address;
    alignas(long double) unsigned char number[sizeof(long double)];
  };

  [[nodiscard]] Entry& find(const void* address) const noexcept {
    // Fibonacci hashing; the low bits of an address say little.
    const auto bits = reinterpret_cast<std::uintptr_t>(address);
    std::size_t i = static_cast<std::size_t>((bits * 0x9E3779B97F4A7C15U) >> shift_);
    while (entries_[i].address != nullptr && entries_[i].address != address) {
      i = (i + 1) & (capacity_ - 1);
    }
    return entries_[i];
  }

  /// Doubles the room.
  ///
  /// Throws:  std::bad_alloc.
  void grow();

  Entry* entries_ = nullptr;  ///< Owned.
  std::size_t capacity_ = 0;  ///< A power of two.
  std::size_t count_ = 0;
  unsigned shift_ = 64;
};

inline void AddressTable::grow() {
  constexpr std::size_t first_capacity = 64;
  const std::size_t old_capacity = capacity_;
  const std::size_t larger = old_capacity == 0 ? first_capacity : 2 * old_capacity;
  Entry* const old = std::exchange(entries_, new Entry[larger]());
  capacity_ = larger;
  shift_ = 64;
  for (std::size_t size = larger; size > 1; size /= 2) {
    --shift_;
  }
  for (std::size_t i = 0; i < old_capacity; ++i) {
    if (old[i].address != nullptr) {
      find(old[i].address) = old[i];
    }
  }
  delete[] old;
}

}  // namespace ddx::detail
