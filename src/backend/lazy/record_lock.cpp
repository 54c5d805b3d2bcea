#include "backend/lazy/record_lock.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

namespace ddx::backend::lazy {

void RecordLock::wait() noexcept {
  // An operation is recorded in less time, a graph runs for longer.
  constexpr int looks = 64;
  constexpr std::chrono::microseconds most(100);
  for (std::chrono::microseconds pause(1);; pause = std::min(2 * pause, most)) {
    for (int i = 0; i < looks; ++i) {
      if (!held_.load(std::memory_order_relaxed) &&
          !held_.exchange(true, std::memory_order_acquire)) {
        return;
      }
    }
    std::this_thread::sleep_for(pause);
  }
}

}  // namespace ddx::backend::lazy
