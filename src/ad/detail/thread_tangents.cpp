/// The functions that derivatives in forward mode call where threads start and synchronise, under
/// the names that the compiler knows.

#include "ddx/ad/detail/failures.h"
#include "ddx/ad/detail/memory_functions.h"
#include "ddx/ad/detail/memory_tangents.h"

#include "ad/detail/sweep_threads.h"

#include <mutex>
#include <pthread.h>
#include <utility>

namespace ddx::detail {

namespace {

/// The function of forward mode of an entry.
///
/// Throws: UsageError where there is none.
void* tangent_of_entry(const MemoryFunction* entry) {
  if (entry->tangent == nullptr) {
    throw_unknown_function(entry->primal);
  }
  return entry->tangent;
}

/// What a thread runs in the place of the primal's state, which it owns from then on.
class TangentState final : public ThreadState {
 public:
  TangentState(ThreadState* state, MemoryTangents& tangents)
      : state_(state), run_(tangent_of_entry(function_of(state))), tangents_(tangents) {}
  // A ThreadState has the members of libstdc++'s class, but is another type.
  [[clang::no_sanitize("vptr")]] void run() override {
    reinterpret_cast<void (*)(ThreadState*, MemoryTangents*)>(run_)(state_, &tangents_);
    delete state_;
  }

 private:
  ThreadState* state_;
  void* run_;
  MemoryTangents& tangents_;
};

}  // namespace

/// std::thread::_M_start_thread.
void start_system_thread(void* thread, ThreadState** state, void (*depend)()) __asm__(
    "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_State"
    "ESt14default_deleteIS1_EEPFvvE");

/// As start_system_thread, where the thread computes tangents too.
void tangent_thread_start(void* thread, ThreadState** state, void (*depend)(),
                          MemoryTangents* tangents) __asm__("ddx.rt.tangent_thread_start");
void tangent_thread_start(void* thread, ThreadState** state, void (*depend)(),
                          MemoryTangents* tangents) {
  tangents->share();
  ThreadState* own = new TangentState(*state, *tangents);
  try {
    start_system_thread(thread, &own, depend);
  } catch (...) {
    delete own;
    throw;
  }
  *state = nullptr;
}

/// Before a parallel region of OpenMP.
void share_tangents(MemoryTangents* tangents) noexcept __asm__("ddx.rt.share_tangents");
void share_tangents(MemoryTangents* tangents) noexcept {
  tangents->share();
}

namespace {

/// What the call of pthread_once in progress in this thread runs.
struct TangentOnce {
  void (*function)();
  MemoryTangents* tangents;
};

thread_local TangentOnce* tangent_once_call = nullptr;

extern "C" void __once_proxy();

void run_tangent_once() {
  const TangentOnce& call = *tangent_once_call;
  void (*const function)() = call.function == &__once_proxy ? std::__once_call : call.function;
  const MemoryFunction* const entry =
      MemoryFunctions::find(reinterpret_cast<const void*>(function));
  reinterpret_cast<void (*)(MemoryTangents*)>(tangent_of_entry(entry))(call.tangents);
}

}  // namespace

/// pthread_once, also for std::call_once.
int tangent_once(pthread_once_t* flag, void (*function)(),
                 MemoryTangents* tangents) __asm__("ddx.rt.tangent_once");
int tangent_once(pthread_once_t* flag, void (*function)(), MemoryTangents* tangents) {
  TangentOnce call{function, tangents};
  TangentOnce* const before = std::exchange(tangent_once_call, &call);
  try {
    const int failure = pthread_once(flag, run_tangent_once);
    tangent_once_call = before;
    return failure;
  } catch (...) {
    tangent_once_call = before;
    throw;
  }
}

namespace {

/// Held while an atomic operation on a number, and that on its tangent, happen.
std::mutex& tangent_atomic_mutex() {
  static std::mutex mutex;
  return mutex;
}

/// Held while a thread of a team adds its part of a reduction.
std::mutex& reduction_mutex() {
  static std::mutex mutex;
  return mutex;
}

}  // namespace

/// Before an atomic operation on a number.
void tangent_atomic_begin(const void* object,
                          MemoryTangents* tangents) __asm__("ddx.rt.tangent_atomic_begin");
void tangent_atomic_begin(const void* /*object*/, MemoryTangents* /*tangents*/) {
  tangent_atomic_mutex().lock();
}

/// Behind it.
void tangent_atomic_end(const void* object,
                        MemoryTangents* tangents) __asm__("ddx.rt.tangent_atomic_end");
void tangent_atomic_end(const void* /*object*/, MemoryTangents* /*tangents*/) {
  tangent_atomic_mutex().unlock();
}

/// Before the part of a reduction that the threads of a team run one after the other.
void tangent_ordered(MemoryTangents* tangents) __asm__("ddx.rt.tangent_ordered");
void tangent_ordered(MemoryTangents* /*tangents*/) {
  reduction_mutex().lock();
}

/// Behind it.
void tangent_end_ordered(MemoryTangents* tangents) __asm__("ddx.rt.tangent_end_ordered");
void tangent_end_ordered(MemoryTangents* /*tangents*/) {
  reduction_mutex().unlock();
}

}  // namespace ddx::detail
