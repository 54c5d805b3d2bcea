#include "ir/detail/needed_nodes.h"

#include "ddx/ir/graph.h"

#include <cstddef>
#include <span>
#include <vector>

namespace ddx::ir::detail {

std::vector<bool> needed_values(const Graph& graph, std::span<const ValueId> results) {
  std::vector<bool> needed(graph.value_count());
  for (const ValueId result : results) {
    needed[Graph::index(result)] = true;
  }
  for (std::size_t i = graph.node_count(); i-- > 0;) {
    const Node node = graph.node(i);
    if (is_needed(needed, node)) {
      for (const ValueId operand : node.operands) {
        needed[Graph::index(operand)] = true;
      }
    }
  }
  return needed;
}

bool is_needed(const std::vector<bool>& needed, const Node& node) {
  for (std::size_t i = 0; i < node.result_count; ++i) {
    if (needed[Graph::index(node.result(i))]) {
      return true;
    }
  }
  return false;
}

}  // namespace ddx::ir::detail
