/// \file
/// The sweeps of the threads of one derivative, and how they wait for each other.

#pragma once

#include "ddx/ad/detail/memory_functions.h"
#include "ddx/ad/detail/memory_layer.h"
#include "ddx/ad/detail/memory_sweep.h"
#include "ddx/ad/detail/owned.h"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

namespace ddx::detail {

/// The cotangents that the threads of a reverse sweep have in common: those of the first sweep, or,
/// while that has a layer too, `moved`, and what sweeps published of pages that others held.
struct CommonCotangents {
  /// Adds what was published to `kinds`. To be called while one thread runs.
  ///
  /// Throws: std::bad_alloc.
  void settle();

  std::mutex mutex;  ///< Of the directories, not of their numbers.
  ShadowKinds* kinds = nullptr;
  ObjectTangents* objects = nullptr;  ///< Of the first sweep: all use them.
  ShadowKinds moved;
  ShadowKinds published;
};

/// Adds all numbers of `from` to those of `to`.
///
/// Throws: std::bad_alloc.
void add_mirrors(ShadowKinds& from, ShadowKinds& to);

/// A number that threads wait for.
///
/// By a mutex, not by atomic operations alone: tools that look for data races know those of the
/// system, also in code that they have not compiled.
class Turn {
 public:
  /// Waits until it is `value`.
  void wait_for(std::uint32_t value) noexcept {
    wait_until([value](std::uint32_t now) { return now == value; });
  }

  template <class Reached>
  void wait_until(const Reached& reached) noexcept {
    for (int i = 0; i < spins && !reached(__atomic_load_n(&value_, __ATOMIC_RELAXED)); ++i) {
      __builtin_ia32_pause();
    }
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return has_failed_ || reached(value_); });
  }

  /// Ends all waits, since what they wait for will not come; or no longer.
  void set_failed(bool has_failed) noexcept {
    {
      const std::lock_guard lock(mutex_);
      has_failed_ = has_failed;
    }
    changed_.notify_all();
  }

  void set(std::uint32_t value) noexcept {
    {
      const std::lock_guard lock(mutex_);
      __atomic_store_n(&value_, value, __ATOMIC_RELAXED);
    }
    changed_.notify_all();
  }

  /// Returns the number before.
  std::uint32_t add(std::uint32_t amount) noexcept {
    const std::lock_guard lock(mutex_);
    const std::uint32_t before = value_;
    __atomic_store_n(&value_, before + amount, __ATOMIC_RELAXED);
    return before;
  }

  [[nodiscard]] std::uint32_t get() noexcept {
    const std::lock_guard lock(mutex_);
    return value_;
  }

 private:
  static constexpr int spins = 500;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint32_t value_ = 0;
  bool has_failed_ = false;
};

/// The events at one object by which threads synchronise, such as a mutex: numbered as they
/// happened. The reverse sweeps pass them in the opposite order.
struct SyncEvents {
  Turn turn;  ///< Forward, the number of the next one; backwards, of the one behind the next.
  std::uint32_t count = 0;
};

/// As std::thread::_State of libstdc++, whose virtual functions these are: what a thread runs.
class ThreadState {
 public:
  ThreadState() = default;
  ThreadState(const ThreadState&) = delete;
  ThreadState& operator=(const ThreadState&) = delete;
  virtual ~ThreadState() = default;
  virtual void run() = 0;
};

/// The entry of the function that a state runs.
///
/// Throws: UsageError where there is none; std::bad_alloc.
[[nodiscard]] const MemoryFunction* function_of(const ThreadState* state);

/// A thread that a forward sweep started.
struct StartedThread {
  MemorySweep sweep;
  /// Of the primal, for a std::thread. Its memory is freed where the thread is joined.
  ThreadState* state = nullptr;
  const MemoryFunction* function = nullptr;
  std::thread::native_handle_type handle{};
  bool is_joined = false;
  std::thread worker;  ///< Of the reverse sweep.
};

class SweepThreads;

/// What all sweeps of one derivative have in common.
struct CommonThreads {
  /// Keeps the first exception of a reverse sweep in a thread. The others go on, without waiting
  /// and with no use, until the one that started the thread rethrows it.
  void fail(std::exception_ptr exception) noexcept;
  void rethrow_failure();
  void set_failed(bool has_failed) noexcept;

  CommonCotangents cotangents;
  std::mutex sweeps_mutex;  ///< Of `sweeps`. Locked last.
  std::vector<SweepThreads*> sweeps;
  std::mutex mutex;  ///< Of the members below.
  std::exception_ptr failure;
  std::unordered_map<const void*, SyncEvents> events;
  std::vector<Owned<StartedThread>> started;
  std::size_t running = 0;  ///< Forward, threads not yet joined; backwards, threads that run.
};

/// The threads of one sweep.
class SweepThreads final : public MemorySweep::Threads {
 public:
  /// Of the first sweep.
  explicit SweepThreads(MemorySweep& sweep);
  /// Of the sweep of another thread.
  SweepThreads(MemorySweep& sweep, CommonThreads& common);
  ~SweepThreads() override;

  /// Those of `sweep`, made at the first call.
  ///
  /// Throws: std::bad_alloc.
  [[nodiscard]] static SweepThreads& of(MemorySweep& sweep);

  void begin_reverse() noexcept override;
  void reset() noexcept override;

  [[nodiscard]] CommonThreads& common() noexcept { return common_; }

  /// Makes what this sweep added visible to others, before they go on.
  void publish();
  /// To be called where additions of others have become visible.
  void observe() noexcept { layer_.forget(); }

  /// The first sweep adds to a layer from here on, until it is alone again.
  void enter_layer();
  void leave_layer();

  // As the one that starts teams of OpenMP.

  /// The sweep of member `number` of its teams, made at the first call.
  [[nodiscard]] MemorySweep& member(std::uint32_t number);

  Turn turn;                    ///< Of the team that runs.
  std::uint32_t team_size = 0;  ///< Of the last team. Written by its first member.

  // As a member of a team. A round gives each member its turn once.

  SweepThreads* team = nullptr;
  std::uint32_t index = 0;
  std::uint32_t size = 0;    ///< Of the team.
  std::uint32_t rounds = 0;  ///< Those that are over for this member.

  /// Waits for the turn of the member that is number `position` in this round.
  void wait_for_turn(std::uint32_t position) noexcept;
  void end_turn(std::uint32_t position) noexcept;

 private:
  void end_workers() noexcept;
  /// Ends the layer of the first sweep, which has nothing of its own.
  void be_common() noexcept;
  /// Of the first sweep and what all have in common.
  void drop_cotangents() noexcept;

  MemorySweep& sweep_;
  Owned<CommonThreads> owned_;
  CommonThreads& common_;
  MemoryLayer layer_;
  std::vector<Owned<MemorySweep>> members_;
};

/// Keeps a record of a thread that is started or joined. Returns: the place of it, null until set.
///
/// Throws: std::bad_alloc.
[[nodiscard]] StartedThread*& record_thread(MemorySweep& sweep);
/// The thread of the record behind all others, which goes; null where none was set.
[[nodiscard]] StartedThread* take_thread(MemorySweep& sweep) noexcept;
/// Adds a thread that will run `function`.
///
/// Throws: std::bad_alloc.
[[nodiscard]] StartedThread& add_thread(MemorySweep& sweep, const MemoryFunction* function);
/// The thread of this derivative that has the handle and was not yet joined, or null.
[[nodiscard]] StartedThread* find_thread(MemorySweep& sweep,
                                         std::thread::native_handle_type handle);
/// In the forward sweep: the thread was joined, or did not start.
void end_thread(MemorySweep& sweep, StartedThread& thread);

/// Records an event at `object`.
///
/// Throws: std::bad_alloc.
void record_event(MemorySweep& sweep, const void* object);
/// Records that there was none.
void record_no_event(MemorySweep& sweep);
/// Reverses either.
void reverse_event(MemorySweep& sweep);

}  // namespace ddx::detail
