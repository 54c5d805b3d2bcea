#include "backend/lazy/biased_lock.h"

#include <chrono>
#include <gtest/gtest.h>
#include <mutex>
#include <thread>
#include <vector>

namespace ddx::backend::lazy {
namespace biased_lock_test {

TEST(BiasedLock, LetsOneThreadInAtATime) {
  BiasedLock lock;
  long count = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int turn = 0; turn < 100'000; ++turn) {
        const std::scoped_lock held(lock);
        ++count;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(count, 400'000);
}

TEST(BiasedLock, IsWaitedForAsLongAsAGraphRuns) {
  BiasedLock lock;
  bool has_run = false;
  lock.lock();
  std::vector<std::jthread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      const std::scoped_lock held(lock);
      EXPECT_TRUE(has_run);
    });
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  has_run = true;
  lock.unlock();
}

// A thread that records without end leaves a moment between operations.
TEST(BiasedLock, IsGotFromOneWhoTakesItAgainAndAgain) {
  BiasedLock lock;
  bool is_done = false;
  const std::jthread recorder([&] {
    for (;;) {
      const std::scoped_lock held(lock);
      if (is_done) {
        return;
      }
    }
  });
  for (int i = 0; i < 100; ++i) {
    const std::scoped_lock held(lock);
    is_done = i == 99;
  }
}

}  // namespace biased_lock_test
}  // namespace ddx::backend::lazy
