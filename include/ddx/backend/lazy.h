/// \file
/// What Device::lazy() has recorded and run.

#pragma once

#include "ddx/ir/graph.h"
#include "ddx/ops/kernel.h"

#include <cstdint>
#include <span>

namespace ddx::backend {

/// Runs what this thread has recorded on the lazy device: a place where steps of a program meet. It
/// is never needed for results to be right; equal steps between barriers are compiled once.
///
/// Throws:  nothing of what operations fail with: that waits for whoever looks at their results.
void lazy_barrier() noexcept;

/// The graph of what this thread has recorded for some arrays and has not run. Arrays that are
/// there are parameters; what other threads have recorded for them is run first.
///
/// Throws:  what an array has failed with.
/// Cost:    linear in what has been recorded.
[[nodiscard]] ir::Graph recorded_graph(std::span<const ops::View> arrays);

/// What the lazy device has done since the process began, all threads together.
struct LazyStatistics {
  std::uint64_t recorded = 0;  ///< Operations recorded.
  std::uint64_t cuts = 0;      ///< Graphs run.
  std::uint64_t compiled = 0;  ///< Graphs of a structure that was new.
};

/// The counts at this moment.
[[nodiscard]] LazyStatistics lazy_statistics() noexcept;

}  // namespace ddx::backend
