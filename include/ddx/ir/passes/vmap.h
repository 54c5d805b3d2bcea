/// \file
/// A graph for many examples at once.

#pragma once

#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"

#include <vector>

namespace ddx::ir {

/// What `vmapped` makes.
struct Vmapped {
  Graph graph;
  /// For each check of the graph, that of the other one which it asks: of all examples at once, or
  /// of one of them.
  std::vector<CheckId> checks;
};

/// The graph that computes all examples at once: parameters that are mapped, and all results, have
/// one axis more, in front, of that many examples. Parameters that are not mapped, scalars and
/// random numbers are the same for all. Each operation has a rule; what has no form for many
/// examples is computed one by one and put together (unrolled).
///
/// `mapped` has an element for each parameter.
/// Throws:  UsageError where an array, whose shape it names, would have more axes than shapes can.
/// Cost:    linear in the graph; where operations are unrolled, times the examples.
[[nodiscard]] Vmapped vmapped(const Graph& graph, const std::vector<bool>& mapped,
                              Shape::Extent examples);

}  // namespace ddx::ir
