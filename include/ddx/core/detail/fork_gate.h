/// \file
/// What a fork of the process waits for.
///
/// A child has the thread that forked it and no other. A lock that another thread held at that
/// moment stays held in the child, and a table that it was changing stays half changed. So the
/// threads of the library say when they use what they share, and a fork waits until none does but
/// its own: the child finds all locks free and all tables whole.
///
/// Threads that come to what is shared while a fork waits, wait for the fork. Those inside go on,
/// into further locks too, so the order of locks does not matter. Where they do not come out, the
/// fork lets all go on and tries again; after a minute it goes on regardless, and the library
/// refuses to work in the child.

#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

namespace ddx::detail {

/// How deep a thread is in uses of what is shared. Written by its thread alone.
struct ForkGateThread {
  std::atomic<std::uint32_t> depth{0};
  std::atomic<bool> is_taken{false};
  std::atomic<bool> is_worker{false};
  ForkGateThread* next = nullptr;
};

/// Null until the thread first uses what is shared.
inline constinit thread_local ForkGateThread* fork_gate_thread = nullptr;

/// Whether threads have to wait before they use what is shared.
enum class ForkState : std::uint32_t {
  None,
  Pending,
  Damaged,  ///< In a child that was forked while another thread used it.
};
inline constinit std::atomic<ForkState> fork_state{ForkState::None};
[[nodiscard]] inline bool is_fork_pending() noexcept {
  return fork_state.load(std::memory_order_relaxed) == ForkState::Pending;
}
/// Whether the system cannot order the stores of other threads, so that each must order its own.
inline constinit std::atomic<bool> does_fork_gate_fence{false};

/// The calling thread's, made known to forks.
[[nodiscard]] ForkGateThread& register_fork_gate_thread() noexcept;
/// Steps back and returns when no fork is pending any more and the thread is inside.
void await_fork(ForkGateThread& thread) noexcept;

inline void enter_fork_gate() noexcept {
  ForkGateThread& thread =
      fork_gate_thread != nullptr ? *fork_gate_thread : register_fork_gate_thread();
  const std::uint32_t depth = thread.depth.load(std::memory_order_relaxed);
  thread.depth.store(depth + 1, std::memory_order_relaxed);
  if (depth != 0) {
    return;
  }
  // The store before the load: the fork asks the system to order them in all threads.
  if (does_fork_gate_fence.load(std::memory_order_relaxed)) [[unlikely]] {
    std::atomic_thread_fence(std::memory_order_seq_cst);
  }
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (is_fork_pending()) [[unlikely]] {
    await_fork(thread);
  }
}

inline void leave_fork_gate() noexcept {
  ForkGateThread& thread = *fork_gate_thread;
  thread.depth.store(thread.depth.load(std::memory_order_relaxed) - 1, std::memory_order_release);
}

/// A use of what threads of the library share, from its begin to its end.
class SharedUse {
 public:
  SharedUse() noexcept { enter_fork_gate(); }
  SharedUse(const SharedUse&) = delete;
  SharedUse& operator=(const SharedUse&) = delete;
  ~SharedUse() { leave_fork_gate(); }
};

/// The same, of a thread that a fork waits for by other means (ForkHook::is_busy): it does not
/// wait.
class SharedUseInside {
 public:
  SharedUseInside() noexcept {
    ForkGateThread& thread =
        fork_gate_thread != nullptr ? *fork_gate_thread : register_fork_gate_thread();
    thread.depth.store(thread.depth.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  SharedUseInside(const SharedUseInside&) = delete;
  SharedUseInside& operator=(const SharedUseInside&) = delete;
  ~SharedUseInside() { leave_fork_gate(); }
};

/// A mutex that no other thread holds when the process forks.
class ForkSafeMutex {
 public:
  constexpr ForkSafeMutex() noexcept = default;
  ForkSafeMutex(const ForkSafeMutex&) = delete;
  ForkSafeMutex& operator=(const ForkSafeMutex&) = delete;

  void lock() {
    enter_fork_gate();
    mutex_.lock();
  }
  [[nodiscard]] bool try_lock() {
    enter_fork_gate();
    if (mutex_.try_lock()) {
      return true;
    }
    leave_fork_gate();
    return false;
  }
  void unlock() {
    mutex_.unlock();
    leave_fork_gate();
  }

 private:
  std::mutex mutex_;
};

/// Says that the calling thread computes what others wait for while they use what is shared: it
/// never waits for a fork, which waits for it after those.
void serve_others_at_fork() noexcept;

/// Whether the calling thread uses what is shared, as far as the gate knows.
[[nodiscard]] inline bool is_inside_fork_gate() noexcept {
  return fork_gate_thread != nullptr &&
         fork_gate_thread->depth.load(std::memory_order_relaxed) != 0;
}
/// Returns when no fork is pending; of a thread that is outside.
void await_no_fork() noexcept;

/// What a part of the library does around a fork. Null: nothing.
struct ForkHook {
  /// Whether a thread uses what it has taken before the fork was pending. Asked when no thread is
  /// inside the gate.
  bool (*is_busy)() noexcept = nullptr;
  void (*before)() noexcept = nullptr;     ///< When no thread but workers uses what is shared.
  void (*in_parent)() noexcept = nullptr;  ///< After it.
  void (*in_child)() noexcept = nullptr;   ///< After it, where no other thread is left.
  ForkHook* next = nullptr;
};

/// Adds what is done from now on. The hook lives for ever.
void add_fork_hook(ForkHook& hook) noexcept;

/// How many forks lie between this process and the one that used the library first. What it has
/// begun with another number has none of its threads here.
[[nodiscard]] std::uint64_t fork_count() noexcept;

[[noreturn]] void throw_damaged_by_fork();

/// Throws:  EnvironmentError where this process was forked while another thread used what is
///          shared, and did not stop for a minute.
inline void check_fork() {
  if (fork_state.load(std::memory_order_relaxed) == ForkState::Damaged) [[unlikely]] {
    throw_damaged_by_fork();
  }
}

}  // namespace ddx::detail
