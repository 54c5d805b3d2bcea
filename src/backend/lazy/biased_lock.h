/// \file
/// A lock that costs one exchange while no other thread wants it.

#pragma once

#include "ddx/core/detail/fork_gate.h"

#include <atomic>

namespace ddx::backend::lazy {

/// The thread that records takes it once for each operation, another thread hardly ever. A plain
/// store releases it, which a mutex that has to wake waiting threads cannot do: a tenth of what
/// recording costs. Waiting threads poll it, every 1 to 100 us. Forks wait for it.
class BiasedLock {
 public:
  void lock() noexcept {
    if (held_.exchange(true, std::memory_order_seq_cst)) [[unlikely]] {
      wait();
    }
    if (ddx::detail::is_fork_pending()) [[unlikely]] {
      let_fork();
    }
  }
  void unlock() noexcept { held_.store(false, std::memory_order_release); }

  /// Whether a thread has it; for forks, which wait until none has.
  [[nodiscard]] bool is_held() const noexcept { return held_.load(std::memory_order_seq_cst); }

 private:
  /// Returns when the lock is the calling thread's.
  void wait() noexcept;
  /// Releases it, and takes it again after the fork, unless the fork waits for the thread anyway.
  void let_fork() noexcept;

  std::atomic<bool> held_{false};
};

}  // namespace ddx::backend::lazy
