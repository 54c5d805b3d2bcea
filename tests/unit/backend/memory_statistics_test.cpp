#include "ddx/backend/memory_statistics.h"

#include "ddx/backend/buffer.h"

#include <cstddef>
#include <gtest/gtest.h>
#include <optional>
#include <thread>

namespace ddx::backend {
namespace {

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

TEST(MemoryStatistics, WhatOtherThreadsOwnCounts) {
  const std::size_t before = memory_statistics().in_use;
  Buffer buffer;
  std::thread([&] { buffer = Buffer(2 * mebibyte); }).join();
  EXPECT_EQ(memory_statistics().in_use, before + 2 * mebibyte);
  buffer = Buffer();
  EXPECT_EQ(memory_statistics().in_use, before);
}

TEST(MemoryStatistics, ABlockOfThePoolIsNoNewMemory) {
  {
    const Buffer buffer(mebibyte);
  }
  const MemoryStatistics before = memory_statistics();
  const Buffer again(mebibyte);
  EXPECT_EQ(memory_statistics().pooled, before.pooled - mebibyte);
  EXPECT_EQ(memory_statistics().in_use, before.in_use + mebibyte);
}

TEST(MemoryStatistics, ThePoolKeepsWhatWasOwnedAtThePeak) {
  // In a thread of its own: with a pool of its own, which is emptied at the end.
  std::thread([] {
    constexpr std::size_t large = 512 * mebibyte;
    const std::size_t before = memory_statistics().in_use;
    {
      const Buffer first(large);
      const Buffer second(large);
    }
    EXPECT_EQ(memory_statistics().pooled, 2 * large) << "more than the 256 MiB of any pool";
    {
      // Of another size: both free blocks and this one would be above the peak of 1024 MiB.
      const Buffer other(640 * mebibyte);
      EXPECT_LE(memory_statistics().pooled, 512 * mebibyte);
    }
    EXPECT_EQ(memory_statistics().in_use, before);
    EXPECT_LE(memory_statistics().pooled, 1024 * mebibyte);
  }).join();
}

}  // namespace
}  // namespace ddx::backend
