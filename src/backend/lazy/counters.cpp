#include "backend/lazy/counters.h"

#include "ddx/backend/lazy.h"
#include "ddx/backend/memory_statistics.h"

#include <atomic>
#include <chrono>
#include <cstdint>

namespace ddx::backend::lazy {
namespace {

void add(std::atomic<std::uint64_t>& counter, std::uint64_t amount) noexcept {
  counter.fetch_add(amount, std::memory_order_relaxed);
}

std::uint64_t read(const std::atomic<std::uint64_t>& counter) noexcept {
  return counter.load(std::memory_order_relaxed);
}

std::uint64_t nanoseconds(Counters::Duration time) noexcept {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(time).count());
}

std::chrono::nanoseconds duration(const std::atomic<std::uint64_t>& counter) noexcept {
  return std::chrono::nanoseconds(static_cast<std::int64_t>(read(counter)));
}

}  // namespace

Counters& Counters::instance() noexcept {
  static constinit Counters counters;
  return counters;
}

void Counters::count_hit() noexcept {
  add(hits_, 1);
}

void Counters::count_compile(Duration time) noexcept {
  add(compiled_, 1);
  add(compile_nanoseconds_, nanoseconds(time));
}

void Counters::count_run(const RunCost& cost, Duration time) noexcept {
  add(run_nanoseconds_, nanoseconds(time));
  add(kernels_, cost.kernels);
  add(operations_, cost.operations);
  add(flops_, cost.work.flops);
  add(bytes_read_, cost.work.bytes_read);
  add(bytes_written_, cost.work.bytes_written);
}

LazyStatistics Counters::statistics() const noexcept {
  return {.compiled = read(compiled_),
          .cache_hits = read(hits_),
          .compile_time = duration(compile_nanoseconds_),
          .run_time = duration(run_nanoseconds_),
          .kernels = read(kernels_),
          .operations = read(operations_),
          .flops = read(flops_),
          .bytes_read = read(bytes_read_),
          .bytes_written = read(bytes_written_),
          .peak_bytes = memory_statistics().peak};
}

}  // namespace ddx::backend::lazy
