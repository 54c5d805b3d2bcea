/// \file
/// A lock that costs one exchange where nobody wants it.

#pragma once

#include "ddx/core/detail/fork_gate.h"

#include <atomic>

namespace ddx::backend::lazy {

/// Whoever records takes it once for each operation, hardly ever another thread. It is given back
/// by a plain store, which a mutex that has to tell those who wait cannot do: a tenth of what
/// recording costs. Those who wait look again and again, after 1 to 100 us. Forks wait for it.
class RecordLock {
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
  /// Gives it back, and takes it again after the fork, unless the fork waits for the thread anyway.
  void let_fork() noexcept;

  std::atomic<bool> held_{false};
};

}  // namespace ddx::backend::lazy
