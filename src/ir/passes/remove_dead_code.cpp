#include "ddx/ir/passes/remove_dead_code.h"

#include "ddx/ir/graph.h"

#include "ir/detail/rebuild.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace ddx::ir {

Graph remove_dead_code(const Graph& graph) {
  std::vector<bool> needed(graph.value_count());
  for (const ValueId result : graph.results()) {
    needed[Graph::index(result)] = true;
  }
  const auto is_needed = [&](const Node& node) {
    for (std::size_t i = 0; i < node.result_count; ++i) {
      if (needed[Graph::index(node.result(i))]) {
        return true;
      }
    }
    return false;
  };
  for (std::size_t i = graph.node_count(); i-- > 0;) {
    const Node node = graph.node(i);
    if (is_needed(node)) {
      for (const ValueId operand : node.operands) {
        needed[Graph::index(operand)] = true;
      }
    }
  }
  detail::Rebuild rebuild(graph);
  for (std::size_t i = 0; i < graph.node_count(); ++i) {
    if (const Node node = graph.node(i); is_needed(node)) {
      rebuild.copy(node);
    }
  }
  return std::move(rebuild).finish();
}

}  // namespace ddx::ir
