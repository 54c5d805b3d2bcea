/// \file
/// Memory for large blocks.

#pragma once

#include "ddx/core/detail/fork_gate.h"

#include <cstddef>

namespace ddx::backend {

/// Pages of the system that are kept between uses, cut and joined as blocks of different sizes need
/// them: a training step whose arrays have many sizes runs in the same pages each time. The system
/// clears a new page in as much time as it takes to write it twice.
///
/// The part that is taken is the one at the highest address, where the system puts the first pages
/// it gives; so what is free lies together, at low addresses. Of all threads.
class LargeMemory {
 public:
  static constexpr std::size_t page = 4096;

  LargeMemory() = default;
  LargeMemory(const LargeMemory&) = delete;
  LargeMemory& operator=(const LargeMemory&) = delete;

  /// That of the process.
  [[nodiscard]] static LargeMemory& instance() noexcept;

  /// Memory of `bytes` bytes, a multiple of `page`, aligned to it, from what is kept; null where no
  /// part of that is large enough.
  [[nodiscard]] std::byte* take(std::size_t bytes) noexcept;
  /// The same, from the system; null where that has none.
  [[nodiscard]] std::byte* take_new(std::size_t bytes) noexcept;
  /// Keeps memory that was taken.
  void keep(std::byte* memory, std::size_t bytes) noexcept;
  /// Gives kept memory to the system, low addresses first, until at most `most` bytes are left.
  void trim(std::size_t most) noexcept;

  /// The bytes that are kept.
  [[nodiscard]] std::size_t kept() const noexcept;

 private:
  /// Stands at the begin of a free part.
  struct Part {
    Part* lower;  // The next one, at a lower address.
    std::size_t bytes;
  };

  mutable ddx::detail::ForkSafeMutex mutex_;
  Part* highest_ = nullptr;
  std::size_t kept_ = 0;
};

}  // namespace ddx::backend
