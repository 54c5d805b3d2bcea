#include "backend/cpu/pool.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace ddx::backend::cpu {
namespace pool_test {

TEST(Pool, DoesEachChunkOnceAlsoForSeveralCallers) {
  constexpr int callers = 4;
  constexpr int rounds = 200;
  constexpr std::int64_t chunks = 37;
  std::vector<std::vector<std::atomic<int>>> done(callers);
  std::vector<std::thread> threads;
  for (auto& mine : done) {
    mine = std::vector<std::atomic<int>>(chunks);
    threads.emplace_back([&mine] {
      for (int round = 0; round < rounds; ++round) {
        for_each_chunk(chunks, [&](std::int64_t i) { ++mine[static_cast<std::size_t>(i)]; });
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  for (const auto& mine : done) {
    for (const auto& count : mine) {
      EXPECT_EQ(count, rounds);
    }
  }
}

TEST(Pool, GivesNeighboursToOneThread) {
  const int threads = thread_count();
  if (threads == 1) {
    GTEST_SKIP() << "this process has one processor";
  }
  // As long as each thread is in a chunk that waits for the others, none takes another's.
  std::vector<std::thread::id> done_by(2 * static_cast<std::size_t>(threads));
  std::atomic<int> begun{0};
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  for_each_chunk(2 * threads, [&](std::int64_t i) {
    done_by[static_cast<std::size_t>(i)] = std::this_thread::get_id();
    const int wanted = ++begun <= threads ? threads : 2 * threads;
    while (begun < wanted && std::chrono::steady_clock::now() < end) {
      std::this_thread::yield();
    }
  });
  EXPECT_EQ(done_by[0], std::this_thread::get_id());
  for (std::size_t i = 0; i < done_by.size(); i += 2) {
    EXPECT_EQ(done_by[i], done_by[i + 1]) << "chunk " << i;
  }
}

TEST(Pool, LetsAChunkHaveChunks) {
  std::atomic<int> done{0};
  for_each_chunk(3, [&](std::int64_t) { for_each_chunk(5, [&](std::int64_t) { ++done; }); });
  EXPECT_EQ(done, 15);
}

TEST(Pool, WorksInAForkedProcessWhichCanEnd) {
  constexpr int wrong = 7;
  for_each_chunk(8, [](std::int64_t) {});
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    std::atomic<int> done{0};
    for_each_chunk(8, [&](std::int64_t) { ++done; });
    if (done != 8 || thread_count() != 1) {
      _exit(wrong);
    }
    std::exit(0);  // Runs the destructors.
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  // A leak checker may find what the lost threads held, and say so in the status.
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) != wrong) << status;
}

TEST(Ranges, CoverEverythingWithoutGapsAndAreNotBelowTheGrain) {
  for (const std::int64_t count : {0, 1, 9, 10, 19, 20, 21, 101}) {
    std::vector<std::atomic<int>> seen(static_cast<std::size_t>(count));
    for_each_range(count, 10, [&](std::int64_t begin, std::int64_t end) {
      EXPECT_GE(end - begin, std::min<std::int64_t>(count, 10));
      for (std::int64_t i = begin; i < end; ++i) {
        ++seen[static_cast<std::size_t>(i)];
      }
    });
    for (const auto& times : seen) {
      EXPECT_EQ(times, 1) << "count " << count;
    }
  }
}

}  // namespace pool_test
}  // namespace ddx::backend::cpu
