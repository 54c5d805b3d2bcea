#include "ddx/core/detail/fork_gate.h"

#include "ddx/core/error.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <linux/membarrier.h>
#include <mutex>
#include <new>
#include <pthread.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

namespace ddx::detail {
namespace {

using Clock = std::chrono::steady_clock;

// A fork holds others up for so long before it lets them go on and tries again.
constexpr std::chrono::milliseconds hold{20};
constexpr std::chrono::milliseconds pause_between{1};
constexpr std::chrono::seconds patience{60};

constinit std::atomic<ForkGateThread*> threads{nullptr};
constinit std::atomic<ForkHook*> hooks{nullptr};
constinit std::atomic<std::uint64_t> forks{0};
constinit bool is_alone = true;  // The thread that forks; guarded by one_fork.
constinit std::mutex one_fork;
// Of a thread that there is no memory to remember: forks do not wait for it.
constinit thread_local ForkGateThread unknown_to_forks;

bool barrier(int command) noexcept {
  return ::syscall(SYS_membarrier, command, 0, 0) == 0;
}

bool is_inside(const ForkGateThread& thread, bool is_worker) noexcept {
  return &thread != fork_gate_thread && thread.is_worker == is_worker &&
         thread.depth.load(std::memory_order_acquire) != 0;
}

bool is_any_inside(bool is_worker) noexcept {
  for (const ForkGateThread* thread = threads; thread != nullptr; thread = thread->next) {
    if (is_inside(*thread, is_worker)) {
      return true;
    }
  }
  return false;
}

/// Whether a part of the library is used as only that part knows. Asked where none is inside.
bool is_any_busy() noexcept {
  for (const ForkHook* hook = hooks; hook != nullptr; hook = hook->next) {
    if (hook->is_busy != nullptr && hook->is_busy()) {
      return true;
    }
  }
  return false;
}

/// Returns whether all threads of this kind have come out in this time.
bool await_all(bool are_workers, Clock::duration time) noexcept {
  const auto end = Clock::now() + time;
  for (int looks = 0; is_any_inside(are_workers) || is_any_busy(); ++looks) {
    if (Clock::now() > end) {
      return false;
    }
    if (looks < 100) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
  }
  return true;
}

void set_state(ForkState state) noexcept {
  fork_state.store(state, std::memory_order_seq_cst);
  if (state != ForkState::Pending) {
    fork_state.notify_all();
  }
}

/// Holds up all threads outside and waits for those inside.
bool close_gate() noexcept {
  const auto end = Clock::now() + patience;
  while (true) {
    set_state(ForkState::Pending);
    if (!does_fork_gate_fence) {
      (void)barrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
    }
    if (await_all(false, hold)) {
      return true;
    }
    if (Clock::now() > end) {
      return false;
    }
    set_state(ForkState::None);
    one_fork.unlock();  // Who is inside may be about to fork, too.
    std::this_thread::sleep_for(pause_between);
    one_fork.lock();
  }
}

void run_hooks(void (*ForkHook::*hook)() noexcept) noexcept {
  for (const ForkHook* each = hooks; each != nullptr; each = each->next) {
    if (each->*hook != nullptr) {
      (each->*hook)();
    }
  }
}

void before_fork() noexcept {
  one_fork.lock();
  is_alone = close_gate();
  run_hooks(&ForkHook::before);
  is_alone = is_alone && await_all(true, patience);
}

void after_in_parent() noexcept {
  run_hooks(&ForkHook::in_parent);
  set_state(ForkState::None);
  one_fork.unlock();
}

void after_in_child() noexcept {
  for (ForkGateThread* thread = threads; thread != nullptr; thread = thread->next) {
    if (thread != fork_gate_thread) {
      thread->depth = 0;
      thread->is_taken = false;
    }
  }
  ++forks;
  run_hooks(&ForkHook::in_child);
  set_state(is_alone ? ForkState::None : ForkState::Damaged);
  one_fork.unlock();
}

/// Prepares the process for forks, once. Returns the key by which ends of threads are noticed.
pthread_key_t prepared() noexcept {
  static constinit std::once_flag once;
  static constinit pthread_key_t key = 0;
  std::call_once(once, [] {
    does_fork_gate_fence = !barrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
    (void)pthread_key_create(&key, [](void* thread) {
      fork_gate_thread = nullptr;
      static_cast<ForkGateThread*>(thread)->is_worker = false;
      static_cast<ForkGateThread*>(thread)->is_taken = false;
    });
    (void)pthread_atfork(&before_fork, &after_in_parent, &after_in_child);
  });
  return key;
}

/// One that no thread has any more, or a new one; null where there is no memory.
ForkGateThread* take_thread() noexcept {
  for (ForkGateThread* thread = threads; thread != nullptr; thread = thread->next) {
    if (!thread->is_taken.exchange(true)) {
      return thread;
    }
  }
  auto* const made = new (std::nothrow) ForkGateThread;
  if (made != nullptr) {
    made->is_taken = true;
    made->next = threads;
    while (!threads.compare_exchange_weak(made->next, made)) {
    }
  }
  return made;
}

}  // namespace

ForkGateThread& register_fork_gate_thread() noexcept {
  const pthread_key_t key = prepared();
  ForkGateThread* const taken = take_thread();
  if (taken != nullptr) {
    (void)pthread_setspecific(key, taken);  // Where that fails, it stays taken, and outside.
  }
  fork_gate_thread = taken != nullptr ? taken : &unknown_to_forks;
  return *fork_gate_thread;
}

void await_fork(ForkGateThread& thread) noexcept {
  while (!thread.is_worker && fork_state == ForkState::Pending) {
    thread.depth.store(0, std::memory_order_seq_cst);
    fork_state.wait(ForkState::Pending);
    thread.depth.store(1, std::memory_order_seq_cst);
  }
}

void await_no_fork() noexcept {
  fork_state.wait(ForkState::Pending);
}

void serve_others_at_fork() noexcept {
  (fork_gate_thread != nullptr ? *fork_gate_thread : register_fork_gate_thread()).is_worker = true;
}

void add_fork_hook(ForkHook& hook) noexcept {
  const SharedUse use;
  hook.next = hooks;
  while (!hooks.compare_exchange_weak(hook.next, &hook)) {
  }
}

std::uint64_t fork_count() noexcept {
  (void)prepared();
  return forks;
}

void throw_damaged_by_fork() {
  throw EnvironmentError("fork",
                         "this process was forked while another thread was computing and did not "
                         "stop within 60 seconds; the library cannot be used in it");
}

}  // namespace ddx::detail
