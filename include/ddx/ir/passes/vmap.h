/// \file
/// Maps a graph over a batch.

#pragma once

#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"

#include <vector>

namespace ddx::ir {

/// The result of `vmapped`.
struct Vmapped {
  Graph graph;
  /// For each check of the graph, the check of the original graph that it runs: for all examples at
  /// once, or for one of them.
  std::vector<CheckId> checks;
};

/// Returns the graph that computes all examples at once. Mapped parameters and all results have one
/// more axis in front, of that many examples. Unmapped parameters, scalars and random numbers are
/// shared by all examples. Each operation has a rule; one without a batched form is unrolled:
/// computed for each example and concatenated.
///
/// `mapped` has an element for each parameter.
/// Throws:  UsageError if an array, whose shape it names, would exceed the maximum rank.
/// Cost:    linear in the graph; unrolled operations count once per example.
[[nodiscard]] Vmapped vmapped(const Graph& graph, const std::vector<bool>& mapped,
                              Shape::Extent examples);

}  // namespace ddx::ir
