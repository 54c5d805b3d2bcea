/// \file
/// How much memory tensors take.

#pragma once

#include <cstddef>
#include <cstdint>

namespace ddx::backend {

/// What the blocks of memory of tensors amount to, in this process.
struct MemoryStatistics {
  std::size_t in_use;  ///< Bytes of blocks that tensors own.
  std::size_t peak;    ///< The most that `in_use` has been since the start, or the last reset.
  std::size_t pooled;  ///< Bytes kept for the next tensors: this thread's, and large ones of all.
  std::uint64_t allocations;  ///< How often this thread has taken a block, new or used.
};

/// The statistics as this thread sees them: its own blocks are counted to the byte, those of each
/// other running thread to 64 KiB.
[[nodiscard]] MemoryStatistics memory_statistics() noexcept;

/// Resets the peak to the memory in use. Memory that was kept because of the old peak goes back to
/// the system.
void reset_memory_peak() noexcept;

/// Returns to the system the memory of large blocks that is kept for the next tensors.
void release_kept_memory() noexcept;

}  // namespace ddx::backend
