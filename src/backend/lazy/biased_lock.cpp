#include "backend/lazy/biased_lock.h"

#include "ddx/core/detail/fork_gate.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

namespace ddx::backend::lazy {

void BiasedLock::wait() noexcept {
  // An operation is recorded in less time, a graph runs for longer.
  constexpr int looks = 64;
  constexpr std::chrono::microseconds most(100);
  for (std::chrono::microseconds pause(1);; pause = std::min(2 * pause, most)) {
    for (int i = 0; i < looks; ++i) {
      if (!held_.load(std::memory_order_relaxed) &&
          !held_.exchange(true, std::memory_order_seq_cst)) {
        return;
      }
    }
    std::this_thread::sleep_for(pause);
  }
}

void BiasedLock::let_fork() noexcept {
  while (!ddx::detail::is_inside_fork_gate() && ddx::detail::is_fork_pending()) {
    unlock();
    ddx::detail::await_no_fork();
    if (held_.exchange(true, std::memory_order_seq_cst)) {
      wait();
    }
  }
}

}  // namespace ddx::backend::lazy
