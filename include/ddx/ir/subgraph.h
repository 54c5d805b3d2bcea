/// \file
/// A part of a graph as a graph.

#pragma once

#include "ddx/ir/graph.h"

#include <span>

namespace ddx::ir {

/// The graph that computes some values of another one, with the parameters, scalars and checks that
/// this takes and no others, in their order.
///
/// Cost:    linear in the graph.
[[nodiscard]] Graph subgraph(const Graph& graph, std::span<const ValueId> results);

}  // namespace ddx::ir
