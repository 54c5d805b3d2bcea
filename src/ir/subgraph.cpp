#include "ddx/ir/subgraph.h"

#include "ddx/ir/graph.h"

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace ddx::ir {
namespace {

std::vector<bool> needed_values(const Graph& graph, std::span<const ValueId> results) {
  std::vector<bool> needed(graph.value_count());
  for (const ValueId result : results) {
    needed[Graph::index(result)] = true;
  }
  for (std::size_t i = graph.node_count(); i-- > 0;) {
    const Node node = graph.node(i);
    bool is_needed = false;
    for (std::size_t result = 0; result < node.result_count; ++result) {
      is_needed = is_needed || needed[Graph::index(node.result(result))];
    }
    if (!is_needed) {
      continue;
    }
    // All results of a node are there, or none.
    for (std::size_t result = 0; result < node.result_count; ++result) {
      needed[Graph::index(node.result(result))] = true;
    }
    for (const ValueId operand : node.operands) {
      needed[Graph::index(operand)] = true;
    }
  }
  return needed;
}

/// The part under construction, and what its values and scalars are called in the whole.
class Part {
 public:
  explicit Part(const Graph& whole)
      : values_(whole.value_count()), scalars_(whole.scalars().size()) {}

  void add_parameter(const Graph& whole, ValueId parameter) {
    value(parameter) = part_.add_parameter(whole.type(parameter));
  }

  void add_node(const Graph& whole, const Node& node) {
    std::vector<ValueId> operands;
    for (const ValueId operand : node.operands) {
      operands.push_back(value(operand));
    }
    std::vector<Type> results;
    for (std::size_t i = 0; i < node.result_count; ++i) {
      results.push_back(whole.type(node.result(i)));
    }
    ScalarFields scalars = node.scalars;
    for (ScalarId& scalar : scalars) {
      if (scalar != baked) {
        scalar = scalar_of(whole, scalar);
      }
    }
    const CheckId check = node.check == unchecked ? unchecked : part_.add_checks();
    const ValueId first =
        part_.add_node(node.op, operands, node.attributes, results, scalars, node.where, check);
    for (std::size_t i = 0; i < node.result_count; ++i) {
      value(node.result(i)) = static_cast<ValueId>(Graph::index(first) + i);
    }
  }

  Graph finish(std::span<const ValueId> results) && {
    std::vector<ValueId> own;
    for (const ValueId result : results) {
      own.push_back(value(result));
    }
    part_.set_results(std::move(own));
    return std::move(part_);
  }

 private:
  ValueId& value(ValueId of_whole) { return values_[Graph::index(of_whole)]; }

  ScalarId scalar_of(const Graph& whole, ScalarId of_whole) {
    std::optional<ScalarId>& own = scalars_[Graph::index(of_whole)];
    if (!own) {
      own = part_.add_scalar(whole.scalars()[Graph::index(of_whole)]);
    }
    return *own;
  }

  Graph part_;
  std::vector<ValueId> values_;
  std::vector<std::optional<ScalarId>> scalars_;
};

}  // namespace

Graph subgraph(const Graph& graph, std::span<const ValueId> results) {
  const std::vector<bool> needed = needed_values(graph, results);
  Part part(graph);
  for (const ValueId parameter : graph.parameters()) {
    if (needed[Graph::index(parameter)]) {
      part.add_parameter(graph, parameter);
    }
  }
  for (std::size_t i = 0; i < graph.node_count(); ++i) {
    if (const Node node = graph.node(i); needed[Graph::index(node.first_result)]) {
      part.add_node(graph, node);
    }
  }
  return std::move(part).finish(results);
}

}  // namespace ddx::ir
