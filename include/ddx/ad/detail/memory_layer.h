/// \file
/// Cotangents of memory of one thread of several, over those that the threads have in common.

#pragma once

#include "ddx/ad/detail/shadow_kinds.h"

#include <cstddef>
#include <cstdint>

namespace ddx::detail {

struct CommonCotangents;

/// What a thread's sweep needs beside its own directories.
///
/// A sweep adds to its own directories alone, so that numbers that several threads read are summed
/// without a race. It takes from both: a program without data races writes a number in one thread
/// at a time, so no other thread has the cotangent in hand. Where the primal's threads synchronise,
/// the reverse sweeps do too, and add what they own to the common directories first.
///
/// For one thread at a time.
class MemoryLayer {
 public:
  explicit MemoryLayer(CommonCotangents& common) noexcept : common_(common) { forget(); }
  MemoryLayer(const MemoryLayer&) = delete;
  MemoryLayer& operator=(const MemoryLayer&) = delete;
  ~MemoryLayer() = default;

  /// Returns the common cotangent of the number at `address`.
  template <class Real>
  [[nodiscard]] Real get(const void* address);

  /// Returns it and leaves zero.
  template <class Real>
  [[nodiscard]] Real take(const void* address);

  /// Moves the common cotangents of a range of memory to `own`.
  ///
  /// Throws: std::bad_alloc.
  void claim(ShadowKinds& own, const void* begin, std::size_t bytes);

  /// Adds the numbers of `own` to the common ones, and leaves zeros.
  ///
  /// Throws: std::bad_alloc.
  ///
  /// Cost: proportional to the pages in use since the last time; measured 0.4 us for each.
  void add_to_common(ShadowKinds& own);

  /// To be called where another thread's additions become visible.
  void forget() noexcept;

 private:
  static constexpr std::size_t cache_entries = 64;

  struct Entry {
    std::uintptr_t page;
    char* mirror;  ///< Null where the page had none.
  };

  /// The common number at address `bits`, or null.
  template <class Real>
  [[nodiscard]] Real* find(std::uintptr_t bits);

  CommonCotangents& common_;
  Entry entries_[3][cache_entries];  ///< By type of number.
};

}  // namespace ddx::detail
