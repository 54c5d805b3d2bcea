#include "ddx/core/detail/fork_gate.h"

#include "ddx/core/error.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <gtest/gtest.h>
#include <mutex>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace ddx::detail {
namespace {

/// The status of a child that does this; -1 where it does not end within ten seconds.
template <class Work>
int status_of_forked(const Work& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(10);
    _exit(work() ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// Threads that lock a mutex again and again, each inside another one.
class LockingThreads {
 public:
  explicit LockingThreads(int count) {
    for (int i = 0; i < count; ++i) {
      threads_.emplace_back([this] {
        while (!is_ended_) {
          const std::scoped_lock outer(outer_);
          const std::scoped_lock inner(inner_);
          ++first_;
          ++second_;
        }
      });
    }
  }
  LockingThreads(const LockingThreads&) = delete;
  LockingThreads& operator=(const LockingThreads&) = delete;
  ~LockingThreads() {
    is_ended_ = true;
    for (std::thread& thread : threads_) {
      thread.join();
    }
  }

  [[nodiscard]] bool is_whole() {
    const std::scoped_lock inner(inner_);
    return first_ == second_;
  }
  [[nodiscard]] bool is_whole_outside() {
    const std::scoped_lock outer(outer_);
    return is_whole();
  }

 private:
  ForkSafeMutex outer_;
  ForkSafeMutex inner_;
  std::uint64_t first_ = 0;
  std::uint64_t second_ = 0;
  std::atomic<bool> is_ended_{false};
  std::vector<std::thread> threads_;
};

TEST(ForkGate, AChildFindsLocksFreeAndWhatTheyGuardWhole) {
  LockingThreads threads(3);
  for (int child = 0; child < 100; ++child) {
    ASSERT_EQ(status_of_forked([&] { return threads.is_whole_outside(); }), 0) << child;
  }
}

TEST(ForkGate, AThreadInsideMayFork) {
  LockingThreads threads(2);
  for (int child = 0; child < 20; ++child) {
    const SharedUse use;
    ASSERT_EQ(status_of_forked([&] { return threads.is_whole(); }), 0);
  }
}

TEST(ForkGate, WhoWaitsInsideForAnotherThreadDoesNotHoldUpTheForkForEver) {
  // The one inside waits for the other one, which comes in while the fork waits for the first.
  std::atomic<bool> is_inside{false};
  std::atomic<bool> is_helped{false};
  std::thread waiting([&] {
    const SharedUse use;
    is_inside = true;
    while (!is_helped) {
      std::this_thread::yield();
    }
  });
  while (!is_inside) {
    std::this_thread::yield();
  }
  std::thread helping([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    const SharedUse use;
    is_helped = true;
  });
  EXPECT_EQ(status_of_forked([] { return true; }), 0);
  EXPECT_TRUE(is_helped);
  waiting.join();
  helping.join();
}

TEST(ForkGate, AForkWaitsForWorkersAfterTheOthers) {
  // As a queue of calls: a thread inside waits for a worker, which must get in during the fork.
  std::atomic<int> step{0};
  std::thread worker([&] {
    serve_others_at_fork();
    while (step < 1) {
      std::this_thread::yield();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    const SharedUse use;
    step = 2;
  });
  std::thread waiting([&] {
    const SharedUse use;
    step = 1;
    while (step < 2) {
      std::this_thread::yield();
    }
  });
  while (step < 1) {
    std::this_thread::yield();
  }
  EXPECT_EQ(status_of_forked([&] { return step == 2; }), 0);
  worker.join();
  waiting.join();
}

TEST(ForkGate, HooksRunAroundTheFork) {
  static std::atomic<int> before{0};
  static std::atomic<int> in_parent{0};
  static std::atomic<int> in_child{0};
  static constinit ForkHook hook{.before = []() noexcept { ++before; },
                                 .in_parent = []() noexcept { ++in_parent; },
                                 .in_child = []() noexcept { ++in_child; }};
  add_fork_hook(hook);
  EXPECT_EQ(status_of_forked([] { return before == 1 && in_parent == 0 && in_child == 1; }), 0);
  EXPECT_EQ(before, 1);
  EXPECT_EQ(in_parent, 1);
  EXPECT_EQ(in_child, 0);
}

TEST(ForkGate, CountsTheForksBeforeAProcess) {
  const std::uint64_t own = fork_count();
  EXPECT_EQ(status_of_forked([&] {
              return fork_count() == own + 1 &&
                     status_of_forked([&] { return fork_count() == own + 2; }) == 0;
            }),
            0);
  EXPECT_EQ(fork_count(), own);
  EXPECT_NO_THROW(check_fork());
}

}  // namespace
}  // namespace ddx::detail
