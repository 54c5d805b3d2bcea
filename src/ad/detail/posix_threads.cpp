/// The functions that derivatives call in place of pthread_create and pthread_join, under the names
/// that the compiler knows.

#include "ddx/ad/detail/failures.h"
#include "ddx/ad/detail/memory_functions.h"
#include "ddx/ad/detail/memory_sweep.h"
#include "ddx/ad/detail/memory_tangents.h"
#include "ddx/ad/detail/owned.h"

#include "ad/detail/sweep_threads.h"

#include <pthread.h>
#include <utility>

namespace ddx::detail {

namespace {

using Body = void* (*)(void*);

/// What a thread of a forward sweep runs.
struct ForwardStart {
  StartedThread& thread;
  const CommonThreads* common;
  void* argument;
};

extern "C" void* run_forward(void* given) {
  const Owned<ForwardStart> start(static_cast<ForwardStart*>(given));
  StartedThread& thread = start->thread;
  using Forward = void* (*)(void*, MemorySweep*);
  // Ordered with the ends of threads before it, whose memory this one may get again.
  record_event(thread.sweep, start->common);
  void* const result =
      reinterpret_cast<Forward>(thread.function->forward)(start->argument, &thread.sweep);
  record_event(thread.sweep, start->common);
  return result;
}

/// What a thread in forward mode runs.
struct TangentStart {
  void* body;
  void* argument;
  MemoryTangents* tangents;
};

extern "C" void* run_tangent(void* given) {
  const Owned<TangentStart> start(static_cast<TangentStart*>(given));
  using Tangent = void* (*)(void*, MemoryTangents*);
  return reinterpret_cast<Tangent>(start->body)(start->argument, start->tangents);
}

/// Throws: UsageError where the attributes say that the thread is never joined.
void expect_joinable(const pthread_attr_t* attributes) {
  int state = PTHREAD_CREATE_JOINABLE;
  if (attributes != nullptr && pthread_attr_getdetachstate(attributes, &state) == 0 &&
      state != PTHREAD_CREATE_JOINABLE) {
    throw_detached_thread();
  }
}

}  // namespace

/// pthread_create, where the thread runs the forward sweep of `body`.
///
/// Throws: UsageError of a detached thread, and where `body` has no derivative; std::bad_alloc.
int posix_start(pthread_t* handle, const pthread_attr_t* attributes, Body body, void* argument,
                MemorySweep* sweep) __asm__("ddx.rt.posix_start");
int posix_start(pthread_t* handle, const pthread_attr_t* attributes, Body body, void* argument,
                MemorySweep* sweep) {
  expect_joinable(attributes);
  StartedThread*& record = record_thread(*sweep);
  StartedThread& started =
      add_thread(*sweep, MemoryFunctions::find(reinterpret_cast<const void*>(body)));
  const CommonThreads& common = SweepThreads::of(*sweep).common();
  Owned<ForwardStart> start(new ForwardStart{started, &common, argument});
  const int failure = pthread_create(handle, attributes, run_forward, start.get());
  if (failure != 0) {
    end_thread(*sweep, started);
    return failure;
  }
  static_cast<void>(start.release());  // The thread's own.
  record = &started;
  started.handle = *handle;
  return 0;
}

/// pthread_join.
///
/// Throws: UsageError where another function started the thread; std::bad_alloc.
int posix_join(pthread_t handle, void** result, MemorySweep* sweep) __asm__("ddx.rt.posix_join");
int posix_join(pthread_t handle, void** result, MemorySweep* sweep) {
  StartedThread*& record = record_thread(*sweep);
  StartedThread* const started = find_thread(*sweep, handle);
  if (started == nullptr) {
    throw_unknown_thread("pthread_join");
  }
  const int failure = pthread_join(handle, result);
  if (failure == 0) {
    record = started;
    end_thread(*sweep, *started);
  }
  return failure;
}

/// pthread_create, where the thread computes tangents too.
///
/// Throws: as posix_start.
int tangent_posix_start(pthread_t* handle, const pthread_attr_t* attributes, Body body,
                        void* argument,
                        MemoryTangents* tangents) __asm__("ddx.rt.tangent_posix_start");
int tangent_posix_start(pthread_t* handle, const pthread_attr_t* attributes, Body body,
                        void* argument, MemoryTangents* tangents) {
  expect_joinable(attributes);
  const MemoryFunction* const entry = MemoryFunctions::find(reinterpret_cast<const void*>(body));
  if (entry->tangent == nullptr) {
    throw_unknown_function(entry->primal);
  }
  tangents->share();
  Owned<TangentStart> start(new TangentStart{entry->tangent, argument, tangents});
  const int failure = pthread_create(handle, attributes, run_tangent, start.get());
  if (failure == 0) {
    static_cast<void>(start.release());  // The thread's own.
  }
  return failure;
}

}  // namespace ddx::detail
