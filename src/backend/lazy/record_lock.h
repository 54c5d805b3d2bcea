/// \file
/// A lock that costs one exchange where nobody wants it.

#pragma once

#include <atomic>

namespace ddx::backend::lazy {

/// Whoever records takes it once for each operation, hardly ever another thread. It is given back
/// by a plain store, which a mutex that has to tell those who wait cannot do: a tenth of what
/// recording costs. Those who wait look again and again, after 1 to 100 us.
class RecordLock {
 public:
  void lock() noexcept {
    if (held_.exchange(true, std::memory_order_acquire)) [[unlikely]] {
      wait();
    }
  }
  void unlock() noexcept { held_.store(false, std::memory_order_release); }

 private:
  /// Returns when the lock is the calling thread's.
  void wait() noexcept;

  std::atomic<bool> held_{false};
};

}  // namespace ddx::backend::lazy
