/// \file
/// Dead code elimination.

#pragma once

#include "ddx/ir/graph.h"

namespace ddx::ir {

/// Removes nodes that no result depends on. Runs last of the rewriting passes, since each leaves
/// behind the nodes that it replaced. Parameters and scalars stay, because the caller of the run
/// counts them.
///
/// Cost:    linear in the graph.
[[nodiscard]] Graph remove_dead_code(const Graph& graph);

}  // namespace ddx::ir
