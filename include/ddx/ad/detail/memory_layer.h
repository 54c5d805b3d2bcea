/// \file
/// Cotangents of memory of one thread of several, over those that the threads have in common.

#pragma once

#include "ddx/ad/detail/shadow_directory.h"
#include "ddx/ad/detail/shadow_kinds.h"

#include <cstddef>
#include <cstdint>

namespace ddx::detail {

struct CommonCotangents;

/// What a thread's sweep needs beside its own directories.
///
/// A sweep uses a page of the common directories, in place, while no other sweep holds it: the
/// first one that asks does, until it publishes. For all other pages it adds to directories of its
/// own, so that numbers that several threads read are summed without a race, and the sums are
/// published apart from the common pages, which others may hold. The cotangent of a number is what
/// all three have. A sweep takes from all: a program without data races writes a number in one
/// thread at a time, so no other thread has the cotangent in hand. Where the primal's threads
/// synchronise, the reverse sweeps do too, and publish first.
///
/// Which of two sweeps holds a page depends on time, and so does the order of a sum, and its
/// rounding, where both add to a number.
///
/// For one thread at a time.
class MemoryLayer {
 public:
  explicit MemoryLayer(CommonCotangents& common) noexcept : common_(common) { forget(); }
  MemoryLayer(const MemoryLayer&) = delete;
  MemoryLayer& operator=(const MemoryLayer&) = delete;
  ~MemoryLayer() = default;

  /// Returns what other directories than the sweep's own have for the number at `address`. To be
  /// called behind the sweep's place().
  template <class Real>
  [[nodiscard]] Real get(const void* address);

  /// Returns it and leaves zeros.
  template <class Real>
  [[nodiscard]] Real take(const void* address);

  /// Returns the common mirror of a page and sets `hold`; null where another sweep holds the page.
  ///
  /// Throws: std::bad_alloc.
  template <class Real>
  [[nodiscard]] char* borrow(std::uintptr_t page, PageHold& hold);

  /// Whether `own` has the whole cotangents of the numbers from `first` to `last`, which follow
  /// each other there.
  template <class Real>
  [[nodiscard]] bool has_all(const ShadowDirectory<Real>& own, const void* first, const void* last);

  /// Moves the whole cotangents of a range of memory to `own`.
  ///
  /// Throws: std::bad_alloc.
  void claim(ShadowKinds& own, const void* begin, std::size_t bytes);

  /// Makes the numbers of `own` visible to other sweeps, and leaves zeros. Ends all holds.
  ///
  /// Throws: std::bad_alloc.
  ///
  /// Cost: proportional to the pages in use since the last time; measured 0.4 us for each that was
  /// not held.
  void publish(ShadowKinds& own);

  /// To be called where what another thread published becomes visible.
  void forget() noexcept;

 private:
  static constexpr std::size_t cache_entries = 64;

  /// Where numbers of a page lie outside the own directory; null where they are zero.
  struct Entry {
    std::uintptr_t page;
    char* common;  ///< Null also where this sweep holds the page.
    char* published;
  };

  template <class Real>
  [[nodiscard]] Entry& entry_of(std::uintptr_t page);

  /// The entry of the page of `bits`, up to date.
  template <class Real>
  [[nodiscard]] const Entry& find(std::uintptr_t bits);

  /// Sets the entry of a page. The common directories are locked.
  template <class Real>
  void look_up(std::uintptr_t page, Entry& entry);

  template <class Real>
  void claim_numbers(ShadowDirectory<Real>& own, const void* begin, std::size_t bytes);

  CommonCotangents& common_;
  std::uint64_t epoch_ = 1;          ///< Changes as the holds end. Locked like the directories.
  bool may_have_published_[3];       ///< By type of number: false where no sweep has.
  Entry entries_[3][cache_entries];  ///< By type of number.
};

}  // namespace ddx::detail
