#include "ddx/ir/subgraph.h"

#include "ddx/ir/graph.h"

#include "ir/detail/needed_nodes.h"
#include "ir/detail/rebuild.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

namespace ddx::ir {

Graph subgraph(const Graph& graph, std::span<const ValueId> results) {
  const std::vector<bool> needed = detail::needed_values(graph, results);
  std::vector<ValueId> parameters;
  std::ranges::copy_if(graph.parameters(), std::back_inserter(parameters),
                       [&](ValueId parameter) { return needed[Graph::index(parameter)]; });
  detail::Rebuild rebuild(graph, parameters);
  for (std::size_t i = 0; i < graph.node_count(); ++i) {
    if (const Node node = graph.node(i); detail::is_needed(needed, node)) {
      rebuild.copy(node);
    }
  }
  return std::move(rebuild).finish(results);
}

}  // namespace ddx::ir
