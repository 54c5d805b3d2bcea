#include "backend/lazy/materialised_values.h"

#include "ddx/ir/graph.h"

#include <cstddef>
#include <span>
#include <vector>

namespace ddx::backend::lazy {

std::vector<bool> materialised_values(const ir::Graph& graph,
                                      std::span<const std::vector<std::size_t>> groups) {
  std::vector<std::size_t> home(graph.node_count());  // 0: in no group.
  std::vector<bool> in_memory(graph.value_count(), true);
  for (std::size_t group = 0; group < groups.size(); ++group) {
    for (const std::size_t i : groups[group]) {
      home[i] = group + 1;
      in_memory[ir::Graph::index(graph.node(i).result())] = false;
    }
  }
  for (std::size_t i = 0; i < graph.node_count(); ++i) {
    for (const ir::ValueId operand : graph.node(i).operands) {
      if (const auto maker = graph.producer(operand); maker && home[*maker] != home[i]) {
        in_memory[ir::Graph::index(operand)] = true;
      }
    }
  }
  for (const ir::ValueId result : graph.results()) {
    in_memory[ir::Graph::index(result)] = true;
  }
  return in_memory;
}

}  // namespace ddx::backend::lazy
