#include "backend/lazy/record_lock.h"

#include <gtest/gtest.h>
#include <mutex>
#include <thread>
#include <vector>

namespace ddx::backend::lazy {
namespace {

TEST(RecordLock, MayBeHeldWhileTheFirstThreadStarts) {
  RecordLock lock;
  std::thread other;
  int count = 0;
  {
    const std::scoped_lock held(lock);
    other = std::thread([] {});
    ++count;
  }
  {
    const std::scoped_lock held(lock);
    ++count;
  }
  other.join();
  std::thread([&] {
    const std::scoped_lock held(lock);
    ++count;
  }).join();
  EXPECT_EQ(count, 3);
}

TEST(RecordLock, LetsOneThreadInAtATime) {
  RecordLock lock;
  int count = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 20'000; ++k) {
        const std::scoped_lock held(lock);
        count = count + 1;
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(count, 80'000);
}

}  // namespace
}  // namespace ddx::backend::lazy
