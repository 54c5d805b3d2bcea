#include "ddx/ir/common_signature.h"

#include "ddx/ir/graph.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>
#include <type_traits>
#include <vector>

namespace ddx::ir {

Graph with_signature(const Graph& graph, const CommonSignature& signature,
                     std::span<const std::size_t> places, std::size_t first_scalar,
                     std::size_t first_check) {
  Graph framed;
  std::vector<ValueId> parameters;
  for (const Type& type : signature.parameters) {
    parameters.push_back(framed.add_parameter(type));
  }
  for (const ScalarKind kind : signature.scalars) {
    framed.add_scalar(kind);
  }
  framed.add_checks(signature.checks);
  const auto scalar = [&](ScalarId id) {
    return id == baked ? baked : static_cast<ScalarId>(first_scalar + Graph::index(id));
  };
  const auto check = [&](CheckId id) {
    return id == unchecked ? unchecked : static_cast<CheckId>(first_check + Graph::index(id));
  };
  std::vector<ValueId> values(graph.value_count());
  for (std::size_t i = 0; i < graph.parameters().size(); ++i) {
    values[Graph::index(graph.parameters()[i])] = parameters[places[i]];
  }
  const auto all = [](const auto& ids, const auto& map) {
    std::vector<std::decay_t<decltype(map(ids[0]))>> mapped;
    std::ranges::transform(ids, std::back_inserter(mapped), map);
    return mapped;
  };
  const auto value = [&](ValueId id) { return values[Graph::index(id)]; };
  for (std::size_t i = 0; i < graph.node_count(); ++i) {
    const Node node = graph.node(i);
    std::vector<Type> types;
    for (std::size_t k = 0; k < node.result_count; ++k) {
      types.push_back(graph.type(node.result(k)));
    }
    ValueId first{};
    if (node.op.is_control()) {
      ControlFlow flow{
          .control = node.op.control(),
          .operands = all(node.operands, value),
          .regions = all(node.regions, [&](RegionId id) { return graph.shared_region(id); })};
      flow.scan = node.scan;
      flow.scalars = all(node.region_scalars, scalar);
      flow.checks = all(node.region_checks, check);
      first = framed.add_control(flow, types, node.where);
    } else {
      ScalarFields scalars = node.scalars;
      std::ranges::transform(scalars, scalars.begin(), scalar);
      first = framed.add_node(node.op.row(), all(node.operands, value), node.attributes, types,
                              scalars, node.where, check(node.check));
    }
    for (std::size_t k = 0; k < node.result_count; ++k) {
      values[Graph::index(node.result(k))] = static_cast<ValueId>(Graph::index(first) + k);
    }
  }
  framed.set_results(all(graph.results(), value));
  return framed;
}

}  // namespace ddx::ir
