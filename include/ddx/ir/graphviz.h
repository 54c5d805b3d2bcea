/// \file
/// Drawing graphs.

#pragma once

#include "ddx/ir/graph.h"

#include <string>

namespace ddx::ir {

/// Renders the graph in the language of Graphviz: `dot -Tsvg` draws it. Parameters and results are
/// boxes, an edge carries the type of its value.
[[nodiscard]] std::string to_graphviz(const Graph& graph);

}  // namespace ddx::ir
