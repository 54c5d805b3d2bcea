/// \file
/// What Device::lazy() has recorded and run.

#pragma once

#include "ddx/ir/graph.h"
#include "ddx/ops/kernel.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>

namespace ddx::backend {

/// Runs what this thread has recorded on the lazy device: a place where steps of a program meet. It
/// is never needed for results to be right; equal steps between barriers are compiled once.
///
/// Throws:  nothing of what operations fail with: that is thrown where their results are observed.
void lazy_barrier() noexcept;

/// The graph of what this thread has recorded for some arrays and has not run. Arrays that are
/// there are parameters; what other threads have recorded for them is run first.
///
/// Throws:  what an array has failed with.
/// Cost:    linear in what has been recorded.
[[nodiscard]] ir::Graph recorded_graph(std::span<const ops::View> arrays);

/// What the lazy device has done since the process began, all threads together.
struct LazyStatistics {
  std::uint64_t recorded = 0;               ///< Operations recorded.
  std::uint64_t flushes = 0;                ///< Graphs run.
  std::uint64_t compiled = 0;               ///< Graphs of a structure that was new.
  std::uint64_t cache_hits = 0;             ///< Graphs of a structure that was known.
  std::chrono::nanoseconds compile_time{};  ///< Of `compiled`, added up.
  std::chrono::nanoseconds run_time{};      ///< Of all graphs, added up.
  std::uint64_t kernels = 0;                ///< Launches; a loop of several operations is one.
  std::uint64_t operations = 0;             ///< Operations in `kernels`.
  std::uint64_t flops = 0;                  ///< Floating-point operations of `kernels` (ir::Cost).
  std::uint64_t bytes_read = 0;             ///< By `kernels`, of arrays.
  std::uint64_t bytes_written = 0;          ///< By `kernels`, to arrays.
  std::size_t peak_bytes = 0;  ///< As MemoryStatistics::peak: a peak, not a sum; of all devices.
};

/// The counts at this moment. Those of kernels are what the graphs that were run have planned:
/// a kernel whose operand has failed is counted though it did not run.
///
/// Cost:    some 0.1 us; what it takes to keep the counts, some 0.1 us for each graph that is run.
[[nodiscard]] LazyStatistics lazy_statistics() noexcept;

}  // namespace ddx::backend
