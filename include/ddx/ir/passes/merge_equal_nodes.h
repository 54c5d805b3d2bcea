/// \file
/// Common subexpression elimination.

#pragma once

#include "ddx/ir/graph.h"

namespace ddx::ir {

/// Merges equal operations on equal values. Operations have no state (a random one is a function of
/// its key), so equal ones have equal results. An operation with a check stays, since its error
/// names its own line. Runs after the rewrites, which make more operations equal.
///
/// Cost:    linear in the graph.
[[nodiscard]] Graph merge_equal_nodes(const Graph& graph);

}  // namespace ddx::ir
