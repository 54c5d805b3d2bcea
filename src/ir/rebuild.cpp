#include "ir/detail/rebuild.h"

#include "ddx/ir/graph.h"

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace ddx::ir::detail {

Rebuild::Rebuild(const Graph& from) : from_(from), map_(from.value_count()) {
  for (const ValueId parameter : from.parameters()) {
    replace(parameter, to_.add_parameter(from.type(parameter)));
  }
  for (const ScalarKind scalar : from.scalars()) {
    to_.add_scalar(scalar);
  }
  to_.add_checks(static_cast<std::uint32_t>(from.check_count()));
}

std::span<const ValueId> Rebuild::operands_of(const Node& node) {
  operands_.clear();
  for (const ValueId operand : node.operands) {
    operands_.push_back((*this)[operand]);
  }
  return operands_;
}

std::span<const Type> Rebuild::results_of(const Node& node) {
  results_.clear();
  for (std::size_t i = 0; i < node.result_count; ++i) {
    results_.push_back(from_.type(node.result(i)));
  }
  return results_;
}

void Rebuild::copy(const Node& node) {
  const ValueId first = to_.add_node(node.op, operands_of(node), node.attributes, results_of(node),
                                     node.scalars, node.where, node.check);
  for (std::size_t i = 0; i < node.result_count; ++i) {
    replace(node.result(i), static_cast<ValueId>(Graph::index(first) + i));
  }
}

Graph Rebuild::finish() && {
  std::vector<ValueId> results;
  for (const ValueId result : from_.results()) {
    results.push_back((*this)[result]);
  }
  to_.set_results(std::move(results));
  return std::move(to_);
}

}  // namespace ddx::ir::detail
