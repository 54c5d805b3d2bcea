#include "backend/pjrt/dependencies.h"

#include "ddx/ir/graph.h"

#include <cstddef>
#include <exception>
#include <span>
#include <vector>

namespace ddx::backend::pjrt {
namespace {

using ir::Graph;

std::exception_ptr error_of_node(const ir::Node& node, std::span<const std::exception_ptr> values,
                                 std::span<const std::exception_ptr> checks) {
  for (const ir::ValueId operand : node.operands) {
    if (values[Graph::index(operand)] != nullptr) {
      return values[Graph::index(operand)];
    }
  }
  if (node.check != ir::unchecked && checks[Graph::index(node.check)] != nullptr) {
    return checks[Graph::index(node.check)];
  }
  for (const ir::CheckId check : node.region_checks) {
    if (checks[Graph::index(check)] != nullptr) {
      return checks[Graph::index(check)];
    }
  }
  return nullptr;
}

}  // namespace

std::vector<std::exception_ptr> errors_of_results(const Graph& graph,
                                                  std::span<const std::exception_ptr> parameters,
                                                  std::span<const std::exception_ptr> checks) {
  std::vector<std::exception_ptr> values(graph.value_count());
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    values[Graph::index(graph.parameters()[i])] = parameters[i];
  }
  for (std::size_t i = 0; i < graph.node_count(); ++i) {
    const ir::Node node = graph.node(i);
    const std::exception_ptr error = error_of_node(node, values, checks);
    for (std::size_t k = 0; k < node.result_count; ++k) {
      values[Graph::index(node.result(k))] = error;
    }
  }
  std::vector<std::exception_ptr> results;
  for (const ir::ValueId result : graph.results()) {
    results.push_back(values[Graph::index(result)]);
  }
  return results;
}

}  // namespace ddx::backend::pjrt
