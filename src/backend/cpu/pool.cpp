#include "backend/cpu/pool.h"

#include "ddx/core/detail/fork_gate.h"

#include "backend/detach_after_fork.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>
#include <sched.h>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace ddx::backend::cpu {
namespace {

// A worker that has nothing to do looks for work this long before it sleeps. That bridges the gaps
// between the operations of a training step, where waking a sleeper costs 5 us on an idle machine
// and a millisecond on a busy one.
constexpr std::chrono::microseconds patience{200};

void pause() noexcept {
  __builtin_ia32_pause();
}

/// Waits until done() or the time has passed; returns which.
template <class Done>
bool look_for(std::chrono::microseconds time, Done done) noexcept {
  const auto end = std::chrono::steady_clock::now() + time;
  do {
    for (int looks = 0; looks < 32; ++looks) {
      if (done()) {
        return true;
      }
      pause();
    }
  } while (std::chrono::steady_clock::now() < end);
  return false;
}

int allowed_processors() noexcept {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) {
    return 1;
  }
  return std::max(CPU_COUNT(&set), 1);
}

/// Work that threads share.
struct Job {
  void (*body)(void*, std::int64_t);
  void* context;
  std::int64_t chunks;
};

/// The chunks of a job that one of the threads takes first. They are neighbours, and the same ones
/// in each job of as many chunks: what a thread has written lies in its own caches for the next
/// operation on the same array.
struct alignas(64) Share {
  std::atomic<std::int64_t> next{0};
  std::int64_t end = 0;

  void work(const Job& job) noexcept {
    for (std::int64_t i = next.fetch_add(1); i < end; i = next.fetch_add(1)) {
      job.body(job.context, i);
    }
  }
};

class Pool {
 public:
  Pool() noexcept : threads_(allowed_processors()) {}
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool() {
    ended_ = true;
    wake();
    for (std::thread& worker : workers_) {
      worker.join();
    }
  }

  /// In a forked process, which has none of the workers: continues with the calling thread alone.
  void lose_workers() noexcept {
    threads_ = 1;
    inside_ = 0;
    for (std::thread& worker : workers_) {
      detach_after_fork(std::move(worker));
    }
    workers_.clear();
  }

  [[nodiscard]] int threads() const noexcept { return threads_; }

  void run(const Job& job) noexcept {
    const std::unique_lock only(busy_, std::try_to_lock);
    if (!only || threads_ == 1 || !start()) {
      for (std::int64_t i = 0; i < job.chunks; ++i) {
        job.body(job.context, i);
      }
      return;
    }
    const auto count = static_cast<std::int64_t>(workers_.size() + 1);
    for (std::int64_t i = 0; i < count; ++i) {
      const Part part(job.chunks, count, i);
      shares_[static_cast<std::size_t>(i)].next = part.begin;
      shares_[static_cast<std::size_t>(i)].end = part.end;
    }
    job_ = &job;
    wake();
    work(job, 0);
    job_ = nullptr;
    // Workers that took the job hold on to it until they leave.
    while (!look_for(patience, [&] { return inside_ == 0; })) {
      std::this_thread::yield();
    }
  }

 private:
  /// Starts the workers at the first job; says no where the system has no threads to give. Where it
  /// has no memory, the next job tries again.
  bool start() noexcept {
    try {
      if (shares_.empty()) {
        shares_ = std::vector<Share>(static_cast<std::size_t>(threads()));
        workers_.reserve(shares_.size());
      }
      while (static_cast<int>(workers_.size()) + 1 < threads_) {
        workers_.emplace_back([this, number = workers_.size() + 1] { serve(number); });
      }
    } catch (const std::system_error&) {
      threads_ = static_cast<int>(workers_.size()) + 1;
    } catch (const std::bad_alloc&) {
      return false;
    }
    return threads_ > 1;
  }

  void wake() noexcept {
    calls_.fetch_add(1);
    calls_.notify_all();
  }

  /// Does the share of this thread, and then what is left of those of others.
  void work(const Job& job, std::size_t number) noexcept {
    const std::size_t count = workers_.size() + 1;
    for (std::size_t i = 0; i < count; ++i) {
      shares_[(number + i) % count].work(job);
    }
  }

  void serve(std::size_t number) noexcept {
    std::uint32_t seen = 0;
    while (!ended_) {
      look_for(patience, [&] { return calls_ != seen; });
      calls_.wait(seen);
      seen = calls_;
      inside_.fetch_add(1);
      if (const Job* job = job_; job != nullptr) {
        work(*job, number);
      }
      inside_.fetch_sub(1);
    }
  }

  std::mutex busy_;
  std::vector<std::thread> workers_;
  std::atomic<int> threads_;
  std::vector<Share> shares_;  // Of the caller, and of each worker.
  std::atomic<const Job*> job_{nullptr};
  std::atomic<int> inside_{0};
  std::atomic<std::uint32_t> calls_{0};
  std::atomic<bool> ended_{false};
};

Pool& pool() {
  static Pool instance;
  static const bool is_hooked = [] {
    static constinit ddx::detail::ForkHook hook{
        .in_child = []() noexcept { pool().lose_workers(); }};
    ddx::detail::add_fork_hook(hook);
    return true;
  }();
  (void)is_hooked;
  return instance;
}

}  // namespace

int thread_count() noexcept {
  return pool().threads();
}

void run_chunks(std::int64_t chunks, void (*body)(void*, std::int64_t), void* context) noexcept {
  pool().run({body, context, chunks});
}

}  // namespace ddx::backend::cpu
