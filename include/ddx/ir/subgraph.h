/// \file
/// Extracts a part of a graph.

#pragma once

#include "ddx/ir/graph.h"

#include <span>

namespace ddx::ir {

/// The graph that computes some values of another one. It has only the parameters, scalars and
/// checks that these need, in their order.
///
/// Cost:    linear in the graph.
[[nodiscard]] Graph subgraph(const Graph& graph, std::span<const ValueId> results);

}  // namespace ddx::ir
