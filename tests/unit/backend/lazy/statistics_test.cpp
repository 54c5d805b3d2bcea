#include "ddx/backend/lazy.h"
#include "ddx/backend/memory_statistics.h"
#include "ddx/core/device.h"
#include "ddx/tensor.h"

#include <chrono>
#include <cstdint>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

namespace ddx::backend {
namespace statistics_test {

constexpr Device lazy = Device::lazy();

TEST(LazyStatistics, AGraphIsCompiledOnceAndThenFound) {
  const auto x = full<float>({3, 7}, 0.75F, lazy);
  const auto step = [&] { return sum(exp(x) * x + x, {.axes = {1}}).values(); };
  lazy_barrier();
  const LazyStatistics start = lazy_statistics();
  (void)step();
  const LazyStatistics first = lazy_statistics();
  EXPECT_EQ(first.compiled - start.compiled, 1U);
  EXPECT_EQ(first.cache_hits - start.cache_hits, 0U);
  EXPECT_GT(first.compile_time, start.compile_time);
  EXPECT_GT(first.run_time, start.run_time);
  (void)step();
  (void)step();
  const LazyStatistics third = lazy_statistics();
  EXPECT_EQ(third.compiled, first.compiled);
  EXPECT_EQ(third.cache_hits - first.cache_hits, 2U);
  EXPECT_EQ(third.compile_time, first.compile_time);
  EXPECT_GT(third.run_time, first.run_time);
  EXPECT_EQ(third.flushes - first.flushes, 2U);
}

TEST(LazyStatistics, KernelsAreCountedWithTheirOperationsAndTraffic) {
  // Large enough for a loop: exp, mul and add are one launch, the product of matrices another.
  constexpr std::int64_t rows = 256;
  constexpr std::int64_t columns = 512;
  const auto x = full<float>({rows, columns}, 0.5F, lazy);
  const auto w = full<float>({columns, 8}, 0.25F, lazy);
  lazy_barrier();
  const LazyStatistics before = lazy_statistics();
  const auto y = matmul(exp(x) * x + x, w);
  (void)y.values();
  const LazyStatistics after = lazy_statistics();
  constexpr std::uint64_t array = rows * columns;
  EXPECT_EQ(after.kernels - before.kernels, 2U);
  EXPECT_EQ(after.operations - before.operations, 4U);
  EXPECT_EQ(after.flops - before.flops, 3 * array + 2 * array * 8);
  // The loop reads x and writes its sum; the product reads that and w, and writes y.
  EXPECT_EQ(after.bytes_read - before.bytes_read, 4 * (2 * array + columns * 8));
  EXPECT_EQ(after.bytes_written - before.bytes_written, 4 * (array + rows * 8));
}

TEST(LazyStatistics, ThePeakIsThatOfMemory) {
  reset_memory_peak();
  const std::size_t low = lazy_statistics().peak_bytes;
  {
    const auto x = full<float>({1 << 20}, 3.25F, lazy);
    (void)(x * x).values();
  }
  EXPECT_GE(lazy_statistics().peak_bytes, low + (std::size_t{8} << 20));
  EXPECT_EQ(lazy_statistics().peak_bytes, memory_statistics().peak);
}

TEST(LazyStatistics, ThreadsLoseNoCounts) {
  constexpr int threads = 4;
  constexpr int steps = 2000;
  const auto step = [] { (void)(full<float>({5, 11}, 1.25F, lazy) * 3.0F - 7.0F).values(); };
  step();
  const LazyStatistics before = lazy_statistics();
  {
    std::vector<std::jthread> running;
    for (int i = 0; i < threads; ++i) {
      running.emplace_back([&] {
        for (int j = 0; j < steps; ++j) {
          step();
        }
      });
    }
  }
  const LazyStatistics after = lazy_statistics();
  EXPECT_EQ(after.cache_hits - before.cache_hits, std::uint64_t{threads} * steps);
  EXPECT_EQ(after.compiled, before.compiled);
  EXPECT_EQ(after.flops - before.flops, std::uint64_t{threads} * steps * 2 * 55);
}

}  // namespace statistics_test
}  // namespace ddx::backend
