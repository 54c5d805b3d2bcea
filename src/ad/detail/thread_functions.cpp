/// The functions that derivatives call in place of those of the system by which threads start, end
/// and synchronise, under the names that the compiler knows.

#include "ddx/ad/detail/failures.h"
#include "ddx/ad/detail/memory_functions.h"
#include "ddx/ad/detail/memory_sweep.h"

#include "ad/detail/sweep_threads.h"

#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <pthread.h>
#include <thread>
#include <utility>

namespace ddx::detail {

const MemoryFunction* function_of(const ThreadState* state) {
  constexpr std::size_t run_slot = 2;  // Behind the two destructors.
  const void* const* const table = *reinterpret_cast<const void* const* const*>(state);
  return MemoryFunctions::find(table[run_slot]);
}

namespace {

using Forward = void (*)(ThreadState*, MemorySweep*);
using Reverse = void (*)(MemorySweep*);

/// What a thread runs in the place of the primal's state.
class ForwardState final : public ThreadState {
 public:
  ForwardState(StartedThread& thread, const CommonThreads& common)
      : thread_(thread), common_(&common) {}
  // A ThreadState has the members of libstdc++'s class, but is another type.
  [[clang::no_sanitize("vptr")]] void run() override {
    // Ordered with the ends of threads before it, whose memory this one may get again.
    record_event(thread_.sweep, common_);
    reinterpret_cast<Forward>(thread_.function->forward)(thread_.state, &thread_.sweep);
    // The objects end here, as in the primal. Their memory stays until the thread is joined: what
    // others put there, unordered with this thread, would meet the cotangents of these objects.
    thread_.state->~ThreadState();
    record_event(thread_.sweep, common_);
  }

 private:
  StartedThread& thread_;
  const CommonThreads* common_;
};

void run_reverse(StartedThread& thread) {
  try {
    reverse_event(thread.sweep);
    reinterpret_cast<Reverse>(thread.function->reverse)(&thread.sweep);
    reverse_event(thread.sweep);
    SweepThreads::of(thread.sweep).publish();
  } catch (...) {
    SweepThreads::of(thread.sweep).common().fail(std::current_exception());
  }
}

}  // namespace

/// std::thread::_M_start_thread.
void start_thread(void* thread, ThreadState** state, void (*depend)()) __asm__(
    "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_State"
    "ESt14default_deleteIS1_EEPFvvE");

/// As start_thread, where the sweeps run what the primal would: the state that `state` owns.
void thread_start(void* thread, ThreadState** state, void (*depend)(),
                  MemorySweep* sweep) __asm__("ddx.rt.thread_start");
void thread_start(void* thread, ThreadState** state, void (*depend)(), MemorySweep* sweep) {
  StartedThread*& record = record_thread(*sweep);
  StartedThread& started = add_thread(*sweep, function_of(*state));
  started.state = *state;
  record = &started;
  ThreadState* forward = new ForwardState(started, SweepThreads::of(*sweep).common());
  try {
    start_thread(thread, &forward, depend);
  } catch (...) {
    delete forward;
    end_thread(*sweep, started);
    record = nullptr;
    throw;
  }
  *state = nullptr;
  started.handle = *static_cast<std::thread::native_handle_type*>(thread);
}

void thread_start_reverse(MemorySweep* sweep) __asm__("ddx.rt.thread_start_reverse");
void thread_start_reverse(MemorySweep* sweep) {
  StartedThread* const thread = take_thread(*sweep);
  if (thread == nullptr) {
    return;
  }
  SweepThreads& threads = SweepThreads::of(*sweep);
  thread->worker.join();
  threads.observe();
  bool is_alone = false;
  {
    CommonThreads& common = threads.common();
    const std::lock_guard lock(common.mutex);
    is_alone = --common.running == 0;
  }
  if (is_alone) {
    threads.leave_layer();
  }
  threads.common().rethrow_failure();
}

/// std::thread::join.
void thread_join(std::thread* thread, MemorySweep* sweep) __asm__("ddx.rt.thread_join");
void thread_join(std::thread* thread, MemorySweep* sweep) {
  StartedThread*& record = record_thread(*sweep);
  if (!thread->joinable()) {
    thread->join();  // Throws.
  }
  StartedThread* const started = find_thread(*sweep, thread->native_handle());
  if (started == nullptr) {
    throw_unknown_thread("std::thread::join");
  }
  thread->join();
  ::operator delete(static_cast<void*>(started->state));
  record = started;
  end_thread(*sweep, *started);
}

void thread_join_reverse(MemorySweep* sweep) __asm__("ddx.rt.thread_join_reverse");
void thread_join_reverse(MemorySweep* sweep) {
  StartedThread* const thread = take_thread(*sweep);
  if (thread == nullptr) {
    return;
  }
  SweepThreads& threads = SweepThreads::of(*sweep);
  threads.enter_layer();
  threads.publish();
  {
    CommonThreads& common = threads.common();
    const std::lock_guard lock(common.mutex);
    ++common.running;
  }
  thread->worker = std::thread(run_reverse, std::ref(*thread));
}

/// Before a wait for a condition, which gives `lock` back.
///
/// Throws: UsageError where no thread has started: one that is not known would end the wait.
void begin_wait(const void* lock, MemorySweep* sweep) __asm__("ddx.rt.begin_wait");
void begin_wait(const void* lock, MemorySweep* sweep) {
  if (sweep->threads() == nullptr) {
    throw_unknown_thread("a wait for a condition");
  }
  record_event(*sweep, lock);
}

namespace {

/// What the call of pthread_once in progress in this thread runs.
struct OnceCall {
  MemorySweep* sweep;
  const pthread_once_t* flag;
  void (*function)();
  const MemoryFunction* ran = nullptr;  ///< Null while another thread runs it, or has.
};

thread_local OnceCall* once_call = nullptr;

extern "C" void __once_proxy();

/// Runs the forward sweep of the function, in the place of the function.
void run_once() {
  OnceCall& call = *once_call;
  void (*const function)() = call.function == &__once_proxy ? std::__once_call : call.function;
  const MemoryFunction* const found =
      MemoryFunctions::find(reinterpret_cast<const void*>(function));
  call.ran = found;
  reinterpret_cast<void (*)(MemorySweep*)>(found->forward)(call.sweep);
  record_event(*call.sweep, call.flag);
}

struct OnceRecord {
  const MemoryFunction* ran;
  std::size_t was_completed;
};
static_assert(sizeof(OnceRecord) == 16);

}  // namespace

/// pthread_once, also for std::call_once: the first call for `flag` runs the function, and others
/// wait for it.
int once(pthread_once_t* flag, void (*function)(), MemorySweep* sweep) __asm__("ddx.rt.once");
int once(pthread_once_t* flag, void (*function)(), MemorySweep* sweep) {
  OnceCall call{sweep, flag, function};
  OnceCall* const before = std::exchange(once_call, &call);
  const auto end = [&](bool was_completed) {
    once_call = before;
    if (was_completed && call.ran == nullptr) {
      record_event(*sweep, flag);
    }
    ::new (static_cast<void*>(sweep->push(sizeof(OnceRecord)))) OnceRecord{call.ran, was_completed};
  };
  int failure = 0;
  try {
    failure = pthread_once(flag, run_once);
  } catch (...) {
    end(false);
    throw;
  }
  end(true);
  return failure;
}

void once_reverse(MemorySweep* sweep) __asm__("ddx.rt.once_reverse");
void once_reverse(MemorySweep* sweep) {
  const OnceRecord record = *reinterpret_cast<const OnceRecord*>(sweep->pop(sizeof(OnceRecord)));
  if (record.was_completed != 0) {
    reverse_event(*sweep);
  }
  if (record.ran != nullptr) {
    reinterpret_cast<Reverse>(record.ran->reverse)(sweep);
  }
}

/// What makes a result ready where its thread ends: std::promise::set_value_at_thread_exit.
///
/// Throws: UsageError, since others then see the result at a time that no sweep knows.
void set_at_thread_exit(void* result, MemorySweep* sweep) __asm__("ddx.rt.set_at_thread_exit");
void set_at_thread_exit(void* /*result*/, MemorySweep* /*sweep*/) {
  throw_result_at_thread_exit();
}

namespace {

/// Held while an atomic operation on a number happens and gets its number.
std::mutex& atomic_mutex() {
  static std::mutex mutex;
  return mutex;
}

}  // namespace

/// Before an atomic operation on the number at `object`.
void atomic_begin(const void* object, MemorySweep* sweep) __asm__("ddx.rt.atomic_begin");
void atomic_begin(const void* object, MemorySweep* sweep) {
  atomic_mutex().lock();
  record_event(*sweep, object);
}

/// Behind it.
void atomic_end(const void* object, MemorySweep* sweep) __asm__("ddx.rt.atomic_end");
void atomic_end(const void* object, MemorySweep* sweep) {
  record_event(*sweep, object);
  atomic_mutex().unlock();
}

}  // namespace ddx::detail
