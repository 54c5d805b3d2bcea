#include "ddx/ir/passes/remove_dead_code.h"

#include "ddx/ir/graph.h"

#include "ir/detail/needed_nodes.h"
#include "ir/detail/rebuild.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace ddx::ir {

Graph remove_dead_code(const Graph& graph) {
  const std::vector<bool> needed = detail::needed_values(graph, graph.results());
  detail::Rebuild rebuild(graph);
  for (std::size_t i = 0; i < graph.node_count(); ++i) {
    if (const Node node = graph.node(i); detail::is_needed(needed, node)) {
      rebuild.copy(node, remove_dead_code);
    }
  }
  return std::move(rebuild).finish();
}

}  // namespace ddx::ir
