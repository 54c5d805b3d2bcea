#include "ddx/backend/memory_statistics.h"

#include "ddx/backend/buffer.h"

#include "backend/large_memory.h"

#include <algorithm>
#include <cstddef>
#include <gtest/gtest.h>
#include <optional>
#include <thread>

namespace ddx::backend {
namespace memory_statistics_test {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

TEST(MemoryStatistics, CountWhatIsOwned) {
  const MemoryStatistics before = memory_statistics();
  std::optional<Buffer> large(mebibyte);
  std::optional<Buffer> small(64);
  const Buffer shared = *large;
  EXPECT_EQ(memory_statistics().in_use, before.in_use + mebibyte + 64);
  EXPECT_EQ(memory_statistics().allocations, before.allocations + 2);
  large.reset();
  EXPECT_EQ(memory_statistics().in_use, before.in_use + mebibyte + 64) << "a copy still owns it";
  small.reset();
  EXPECT_EQ(memory_statistics().in_use, before.in_use + mebibyte);
  EXPECT_GE(memory_statistics().pooled, 64U);
}

TEST(MemoryStatistics, ThePeakStaysUntilItIsReset) {
  reset_memory_peak();
  const MemoryStatistics before = memory_statistics();
  EXPECT_EQ(before.peak, before.in_use);
  {
    const Buffer buffer(3 * mebibyte);
  }
  {
    const Buffer buffer(mebibyte);
  }
  EXPECT_EQ(memory_statistics().in_use, before.in_use);
  EXPECT_EQ(memory_statistics().peak, before.in_use + 3 * mebibyte);
  reset_memory_peak();
  EXPECT_EQ(memory_statistics().peak, before.in_use);
}

TEST(MemoryStatistics, WhatIsKeptIsReleased) {
  {
    const Buffer buffer(64 * mebibyte);
  }
  const MemoryStatistics before = memory_statistics();
  EXPECT_GE(LargeMemory::instance().kept(), 64 * mebibyte);
  release_kept_memory();
  EXPECT_EQ(LargeMemory::instance().kept(), 0U);
  EXPECT_EQ(memory_statistics().peak, before.peak);
}

TEST(MemoryStatistics, WhatOtherThreadsOwnCounts) {
  const std::size_t before = memory_statistics().in_use;
  Buffer buffer;
  std::thread([&] { buffer = Buffer(2 * mebibyte); }).join();
  EXPECT_EQ(memory_statistics().in_use, before + 2 * mebibyte);
  buffer = Buffer();
  EXPECT_EQ(memory_statistics().in_use, before);
}

TEST(MemoryStatistics, ABlockOfThePoolIsNoNewMemory) {
  for (const std::size_t bytes : {mebibyte / 2, 3 * mebibyte}) {
    {
      const Buffer buffer(bytes);
    }
    const MemoryStatistics before = memory_statistics();
    const Buffer again(bytes);
    EXPECT_GE(before.pooled - memory_statistics().pooled, bytes);
    EXPECT_LE(before.pooled - memory_statistics().pooled, bytes + 2 * LargeMemory::page);
    EXPECT_EQ(memory_statistics().in_use, before.in_use + bytes);
  }
}

/// Runs `body` in a thread of its own, whose pool is empty, and begins and ends with a new peak.
template <class Body>
void run_apart(const Body& body) {
  std::thread([&] {
    reset_memory_peak();
    body();
    reset_memory_peak();
  }).join();
}

TEST(MemoryStatistics, WhatWasOwnedAtThePeakIsKeptUntilThatIsReset) {
  run_apart([] {
    constexpr std::size_t large = 512 * mebibyte;
    const std::size_t before = memory_statistics().in_use;
    {
      const Buffer first(large);
      const Buffer second(large);
    }
    EXPECT_GE(memory_statistics().pooled, 2 * large) << "more than the 256 MiB of any pool";
    const std::size_t pooled = memory_statistics().pooled;
    {
      // Both parts together: a block larger than each is no new memory.
      const Buffer other(640 * mebibyte);
      EXPECT_LE(memory_statistics().pooled, pooled - 640 * mebibyte);
    }
    EXPECT_EQ(memory_statistics().in_use, before);
    EXPECT_EQ(memory_statistics().pooled, pooled);
    reset_memory_peak();
    EXPECT_LE(memory_statistics().pooled, 256 * mebibyte + before / 2);
  });
}

TEST(MemoryStatistics, WhatIsKeptHasABound) {
  run_apart([] {
    // Each block is larger than what was kept of all before: new memory, and the old goes.
    for (std::size_t size = 300; size < 900; size += 100) {
      const Buffer buffer(size * mebibyte);
      const MemoryStatistics now = memory_statistics();
      EXPECT_LE(now.pooled, std::max(now.peak / 2, 256 * mebibyte)) << size;
    }
  });
}

}  // namespace memory_statistics_test
}  // namespace ddx::backend
