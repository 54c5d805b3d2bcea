#include "ir/detail/rebuild.h"

#include "ddx/ir/graph.h"

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace ddx::ir::detail {

Rebuild::Rebuild(const Graph& from) : Rebuild(from, from.parameters()) {
  for (std::size_t i = 0; i < scalars_.size(); ++i) {
    scalars_[i] = to_.add_scalar(from.scalars()[i]);
  }
  for (CheckId& check : checks_) {
    check = to_.add_checks();
  }
}

Rebuild::Rebuild(const Graph& from, std::span<const ValueId> parameters)
    : from_(from),
      map_(from.value_count()),
      scalars_(from.scalars().size(), baked),
      checks_(from.check_count(), unchecked) {
  for (const ValueId parameter : parameters) {
    replace(parameter, to_.add_parameter(from.type(parameter)));
  }
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
                                     scalars_of(node), node.where, check_of(node));
  for (std::size_t i = 0; i < node.result_count; ++i) {
    replace(node.result(i), static_cast<ValueId>(Graph::index(first) + i));
  }
}

ScalarFields Rebuild::scalars_of(const Node& node) {
  ScalarFields scalars = node.scalars;
  for (ScalarId& scalar : scalars) {
    if (scalar == baked) {
      continue;
    }
    ScalarId& own = scalars_[Graph::index(scalar)];
    if (own == baked) {
      own = to_.add_scalar(from_.scalars()[Graph::index(scalar)]);
    }
    scalar = own;
  }
  return scalars;
}

CheckId Rebuild::check_of(const Node& node) {
  if (node.check == unchecked) {
    return unchecked;
  }
  CheckId& own = checks_[Graph::index(node.check)];
  if (own == unchecked) {
    own = to_.add_checks();
  }
  return own;
}

Graph Rebuild::finish() && {
  return std::move(*this).finish(from_.results());
}

Graph Rebuild::finish(std::span<const ValueId> results) && {
  std::vector<ValueId> own;
  for (const ValueId result : results) {
    own.push_back((*this)[result]);
  }
  to_.set_results(std::move(own));
  return std::move(to_);
}

}  // namespace ddx::ir::detail
