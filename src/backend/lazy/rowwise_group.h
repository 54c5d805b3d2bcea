/// \file
/// Loops of a graph that go through the same rows together.

#pragma once

#include "backend/graph_run.h"
#include "backend/lazy/fused_loop.h"
#include "backend/lazy/rowwise_plan.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace ddx::backend::lazy {

/// Compiled loops, one after the other, each of which makes elements of rows or reduces the rows,
/// as a softmax or a normalisation does that is written in elementwise operations, sums and
/// extremes. A few rows at a time go through all of them while they are in the nearest caches: what
/// only the group reads never is in memory as a whole. Where the loops have not been compiled yet,
/// they run one after the other. The results are the same to the bit.
class RowwiseGroup {
 public:
  explicit RowwiseGroup(RowwisePlan plan) : plan_(std::move(plan)) {}

  /// Runs it: computes what others read, and releases what is not needed after the nodes.
  ///
  /// Throws:  as GraphRun::run.
  void run(GraphRun& values) const;

  /// What it computes: all nodes of the group but numbers and some reductions of other axes.
  [[nodiscard]] const std::vector<std::size_t>& nodes() const noexcept { return plan_.nodes; }
  /// The loops, to be compiled.
  [[nodiscard]] std::vector<FusedLoop*> loops();

 private:
  /// Runs one stage after the other, in memory.
  void run_apart(GraphRun& values) const;

  RowwisePlan plan_;
};

}  // namespace ddx::backend::lazy
