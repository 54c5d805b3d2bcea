/// \file
/// Drops what no result needs.

#pragma once

#include "ddx/ir/graph.h"

namespace ddx::ir {

/// The graph without the nodes from which no way leads to a result. Runs last of the passes that
/// rewrite, since each of them leaves behind what it replaced. Parameters and scalars stay: who
/// runs the graph counts them.
///
/// Cost:    linear in the graph.
[[nodiscard]] Graph remove_dead_code(const Graph& graph);

}  // namespace ddx::ir
