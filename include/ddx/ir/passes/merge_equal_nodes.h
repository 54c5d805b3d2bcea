/// \file
/// Computes once what is computed repeatedly.

#pragma once

#include "ddx/ir/graph.h"

namespace ddx::ir {

/// The graph in which equal operations on equal values are one: common subexpression elimination.
/// Operations have no state (a random one is a function of its key), so equal ones have equal
/// results. One that has a check stays: its error names its own line. Runs after the rewrites,
/// which make different things equal.
///
/// Cost:    linear in the graph.
[[nodiscard]] Graph merge_equal_nodes(const Graph& graph);

}  // namespace ddx::ir
