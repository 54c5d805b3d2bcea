/// \file
/// A loop over elements while they are normalised.

#pragma once

#include "ddx/ir/graph.h"

#include "backend/cpu/normalization.h"
#include "backend/graph_run.h"
#include "backend/lazy/fused_loop.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ddx::backend::lazy {

/// A normalisation of a batch and a compiled loop over its elements: a run of them is normalised,
/// and goes through the loop while it is in the nearest caches. What only the loop reads is never
/// in memory as a whole. Where the loop has not been compiled yet, one runs after the other. The
/// results are the same to the bit.
class NormalizationEpilogue {
 public:
  /// For a node that is a normalisation, and the elementwise nodes of a loop, which make `outputs`.
  /// None where the loop cannot be compiled, or it would gain nothing: of few elements.
  [[nodiscard]] static std::optional<NormalizationEpilogue> of(const ir::Graph& graph,
                                                               std::size_t normalization,
                                                               std::span<const std::size_t> nodes,
                                                               const std::vector<bool>& outputs);

  /// Runs it: computes what others read, and releases what is not needed after the nodes.
  ///
  /// Throws:  as GraphRun::run.
  void run(GraphRun& values) const;

  /// The normalisation, and then the nodes of the loop.
  [[nodiscard]] const std::vector<std::size_t>& nodes() const noexcept { return nodes_; }
  /// To be compiled.
  [[nodiscard]] FusedLoop& loop() noexcept { return loop_; }

 private:
  NormalizationEpilogue(const ir::Graph& graph, std::size_t normalization, FusedLoop loop);

  /// Runs one after the other, in memory.
  void run_apart(GraphRun& values) const;
  /// Prepares the normalisation, whose elements have no memory yet. Says no where there is not
  /// enough.
  [[nodiscard]] bool prepare(GraphRun& values, std::byte* memory) const;

  const ir::Graph* graph_;
  FusedLoop loop_;
  std::vector<std::size_t> nodes_;
  cpu::BatchNormalization normalization_;
  std::int64_t channels_;
  std::int64_t run_ = 0;        // Elements that are normalised at a time.
  std::size_t elements_;        // Among the loop's arrays.
  std::vector<bool> is_tiled_;  // Of these.
};

}  // namespace ddx::backend::lazy
