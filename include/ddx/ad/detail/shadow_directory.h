/// \file
/// Numbers that belong to numbers in memory, in pages that mirror those of the memory.

#pragma once

#include "ddx/ad/detail/plain_vector.h"
#include "ddx/ad/detail/shadow_segments.h"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace ddx::detail {

class MemoryLayer;

/// Which of several sweeps uses a page of a common directory alone: the one whose epoch is at
/// `epoch`, until it begins another.
struct PageHold {
  const std::uint64_t* epoch = nullptr;
  std::uint64_t since = 0;

  [[nodiscard]] bool is_valid() const noexcept { return epoch != nullptr && *epoch == since; }
};

/// The lock of all directories that threads share; one thread may take it several times.
void lock_shared_directories() noexcept;
void unlock_shared_directories() noexcept;

/// For each address one number of type `Real`, zero until it is written: the cotangents or the
/// tangents of the numbers of that type in memory.
///
/// A page of memory has a mirror of the same size, made when a number of it is first asked for: the
/// number that belongs to address `a` lies at the offset of `a` in the mirror of its page. Numbers
/// of other types have directories of their own, so that nothing is stored about the types.
///
/// Cost: 1 byte for each byte of the pages in use.
template <class Real>
class ShadowDirectory {
 public:
  /// Smaller pages take less to make zero, larger ones are found more often. Measured with pages of
  /// 1, 4, 16 and 64 KiB: a sweep that uses one page 30, 55, 125 and 405 ns; random access to 8 MB
  /// 7.3, 4.6, 4.0 and 6.1 ns.
  static constexpr std::size_t page_bytes = 4096;
  /// The cache covers 1 MiB.
  static constexpr std::size_t cache_entries = 256;
  /// A directory that is reset keeps mirrors of this many bytes; twice as many as the last two uses
  /// both needed where that is more.
  static constexpr std::size_t kept_bytes = std::size_t{16} << 20;

  /// Numbers that follow each other in one page; `first` is null where the page has no mirror, so
  /// that all of them are zero.
  struct Run {
    Real* first;
    std::size_t count;
  };

  ShadowDirectory() noexcept;
  ShadowDirectory(const ShadowDirectory&) = delete;
  ShadowDirectory& operator=(const ShadowDirectory&) = delete;
  ~ShadowDirectory();

  /// Returns the number that belongs to `address`, in a place that is valid until the reset.
  ///
  /// Throws: std::bad_alloc; UsageError where the address is no multiple of the size.
  ///
  /// Cost: measured, with an addition there, 0.6 ns in sequence and 4.8 ns at random in 8 MB.
  [[nodiscard]] Real* place(const void* address) {
    const auto bits = reinterpret_cast<std::uintptr_t>(address);
    const CacheEntry& entry = cache_[index_in_cache(bits)];
    // The mask keeps the bits of the page, and those that an aligned address has not.
    if ((bits & (page_mask | (sizeof(Real) - 1))) != entry.page) [[unlikely]] {
      return place_slowly(bits);
    }
    return reinterpret_cast<Real*>(bits + entry.distance);
  }

  /// Returns the numbers from address `bits`, a multiple of the size, to the end of its page, at
  /// most `count`. Makes no mirror.
  [[nodiscard]] Run find(std::uintptr_t bits, std::size_t count) const noexcept {
    const std::size_t to_end = (page_bytes - bits % page_bytes) / sizeof(Real);
    const std::size_t part = count < to_end ? count : to_end;
    const std::uintptr_t page = bits & page_mask;
    const CacheEntry& entry = cache_[index_in_cache(bits)];
    if (entry.page == page) {
      return {reinterpret_cast<Real*>(bits + entry.distance), part};
    }
    if (is_shared_) [[unlikely]] {
      lock_shared_directories();
    }
    char* const mirror = find_mirror(page);
    if (is_shared_) [[unlikely]] {
      unlock_shared_directories();
    }
    return {mirror == nullptr ? nullptr : reinterpret_cast<Real*>(mirror + bits % page_bytes),
            part};
  }

  /// Returns the number that belongs to `first`, if all numbers from there to `last` follow each
  /// other as those in memory do: the number at address `first + d` belongs to distance `d`. Null
  /// where they do not, or where an address is no multiple of the size.
  ///
  /// Throws: std::bad_alloc.
  ///
  /// Cost: that of place() for the first and the last page, and a search for each page between.
  [[nodiscard]] Real* range(const void* first, const void* last) {
    const auto begin = reinterpret_cast<std::uintptr_t>(first);
    const auto end = reinterpret_cast<std::uintptr_t>(last);
    const CacheEntry& entry = cache_[index_in_cache(begin)];
    const CacheEntry& other = cache_[index_in_cache(end)];
    constexpr std::uintptr_t mask = page_mask | (sizeof(Real) - 1);
    const bool are_cached = (begin & mask) == entry.page && (end & mask) == other.page;
    if (!are_cached || entry.distance != other.distance || other.page - entry.page > page_bytes)
        [[unlikely]] {
      return range_slowly(begin, end);
    }
    return reinterpret_cast<Real*>(begin + entry.distance);
  }

  /// Whether no page has a mirror: all numbers are zero. False while the directory is shared.
  [[nodiscard]] bool is_empty() const noexcept { return !is_shared_ && mirror_count_ == 0; }

  /// Lets several threads use place() and find() at a time, or no longer. To be called while one
  /// thread uses the directory.
  ///
  /// Cost: each access then takes a lock.
  void share(bool is_shared) noexcept;

  /// The number of pages that have mirrors.
  [[nodiscard]] std::size_t mirror_count() const noexcept { return mirror_count_; }

  /// Calls `use(page, numbers)` with the address of each page that has a mirror of this directory,
  /// and its numbers.
  template <class Use>
  void for_each_mirror(const Use& use) const {
    for (std::size_t i = 0; mirror_count_ > 0 && i < slot_count_; ++i) {
      if (slots_[i].page != no_page && !has_common_mirror(slots_[i])) {
        use(slots_[i].page, reinterpret_cast<Real*>(slots_[i].mirror));
      }
    }
  }

  /// From here on pages that `layer` can hold in a common directory have the mirrors of that one.
  /// Null ends it. To be called while no page has a mirror.
  void set_layer(MemoryLayer* layer) noexcept { layer_ = layer; }

  /// Whether the page of address `bits` has the mirror of a common directory.
  [[nodiscard]] bool is_borrowed(std::uintptr_t bits) const noexcept {
    return mirror_count_ > 0 && has_common_mirror(slots_[slot_of(bits & page_mask)]);
  }

  /// A page's mirror, null where it has none, and which sweep uses it alone.
  struct HeldPage {
    char* mirror;
    PageHold* hold;
  };

  /// As a common directory: the page at address `page`. Valid until another page gets a mirror.
  [[nodiscard]] HeldPage find_page(std::uintptr_t page) const noexcept {
    if (mirror_count_ == 0) {
      return {nullptr, nullptr};
    }
    Slot& slot = slots_[slot_of(page)];
    return {slot.mirror, &slot.hold};
  }

  /// As find_page, and makes the mirror.
  ///
  /// Throws: std::bad_alloc.
  [[nodiscard]] HeldPage make_page(std::uintptr_t page);

  /// Exchanges all numbers with those of `other`. Places stay valid.
  void swap(ShadowDirectory& other) noexcept {
    std::swap(cache_, other.cache_);
    std::swap(slots_, other.slots_);
    std::swap(slot_count_, other.slot_count_);
    std::swap(shift_, other.shift_);
    std::swap(mirror_count_, other.mirror_count_);
    std::swap(borrowed_count_, other.borrowed_count_);
    std::swap(slab_, other.slab_);
    std::swap(slabs_, other.slabs_);
    segments_.swap(other.segments_);
    std::swap(used_bytes_before_, other.used_bytes_before_);
  }

  /// Makes all numbers zero.
  ///
  /// Cost: proportional to the number of mirrors; measured 30 ns for each.
  void reset() noexcept;

 private:
  static constexpr std::uintptr_t page_mask = ~std::uintptr_t{page_bytes - 1};
  /// No page, and no address under the mask of place().
  static constexpr std::uintptr_t no_page = ~std::uintptr_t{0};
  static constexpr std::size_t first_slab_pages = 8;
  static constexpr std::size_t largest_slab_pages = 256;
  static constexpr std::size_t first_slots = 32;
  static constexpr std::size_t mirror_alignment = 64;

  struct CacheEntry {
    std::uintptr_t page;
    std::uintptr_t distance;  ///< From the page to its mirror.
  };

  struct Slot {
    std::uintptr_t page;
    char* mirror;
    PageHold hold;  ///< Of a common mirror: in the common directory, and in that which borrows it.
  };

  /// Memory for mirrors that have no segment, all zero except for the first `used` ones.
  struct Slab {
    void* memory;
    char* mirrors;
    std::size_t count;
    std::size_t used;
  };

  [[nodiscard]] static std::size_t index_in_cache(std::uintptr_t bits) noexcept {
    return bits / page_bytes % cache_entries;
  }

  [[nodiscard]] bool has_common_mirror(const Slot& slot) const noexcept {
    return layer_ != nullptr && slot.hold.epoch != nullptr;
  }

  [[nodiscard]] Real* place_slowly(std::uintptr_t bits);
  [[nodiscard]] Real* range_slowly(std::uintptr_t first, std::uintptr_t last);

  /// The slot of a page, or the empty one where it belongs.
  [[nodiscard]] std::size_t slot_of(std::uintptr_t page) const noexcept {
    // Fibonacci hashing: the bits of the product's upper half.
    std::size_t i = static_cast<std::size_t>((page * 0x9E3779B97F4A7C15U) >> shift_);
    while (slots_[i].page != page && slots_[i].page != no_page) {
      i = (i + 1) & (slot_count_ - 1);
    }
    return i;
  }

  [[nodiscard]] char* find_mirror(std::uintptr_t page) const noexcept {
    return mirror_count_ == 0 ? nullptr : slots_[slot_of(page)].mirror;
  }

  [[nodiscard]] char* make_mirror(std::uintptr_t page);
  void add_slots();
  [[nodiscard]] char* unused_mirror(std::uintptr_t page);
  [[nodiscard]] char* unused_in_slab();
  void free_slabs_from(std::size_t first) noexcept;

  CacheEntry cache_[cache_entries];
  Slot* slots_ = nullptr;  ///< Owned, from std::malloc.
  std::size_t slot_count_ = 0;
  unsigned shift_ = 64;
  std::size_t mirror_count_ = 0;
  std::size_t borrowed_count_ = 0;  ///< Of the mirrors, those of a common directory.
  std::size_t slab_ = 0;            ///< The one in use.
  PlainVector<Slab> slabs_;
  ShadowSegments segments_;
  std::size_t used_bytes_before_ = 0;  ///< By mirrors, until the last reset.
  bool is_shared_ = false;
  MemoryLayer* layer_ = nullptr;
};

extern template class ShadowDirectory<double>;
extern template class ShadowDirectory<float>;
extern template class ShadowDirectory<long double>;

}  // namespace ddx::detail
